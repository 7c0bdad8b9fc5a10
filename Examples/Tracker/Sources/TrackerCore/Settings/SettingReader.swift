import Configuration
import Foundation

/// A strict reader of settings. An invalid value is an error, and is never replaced by a default.
struct SettingReader {
  private let reader: ConfigReader

  init(_ reader: ConfigReader) {
    self.reader = reader
  }

  private func text(_ key: String) -> String? { reader.string(forKey: ConfigKey(key)) }

  /// Returns the value of a setting, which must not be empty; `nil` if the setting is missing.
  func text(_ key: String, such example: String) throws -> String? {
    guard let text = text(key) else { return nil }
    guard !text.allSatisfy(\.isWhitespace) else {
      throw SettingError(key: key, value: text, need: "something, such as \(example)")
    }
    return text
  }

  func number(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = text(key) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds = "from \(range.lowerBound) to \(range.upperBound)"
      throw SettingError(key: key, value: text, need: "a whole number \(bounds)")
    }
    return number
  }

  func seconds(_ key: String) throws -> Duration? {
    try number(key, 1...86_400).map { .seconds($0) }
  }

  /// Returns a duration, like ``seconds(_:)``, but allows zero.
  func delay(_ key: String) throws -> Duration? {
    try number(key, 0...86_400).map { .seconds($0) }
  }

  func milliseconds(_ key: String) throws -> Duration? {
    try number(key, 0...86_400_000).map { .milliseconds($0) }
  }

  func address(_ key: String) throws -> String? {
    guard let text = text(key) else { return nil }
    let url = URL(string: text)
    guard ["http", "https"].contains(url?.scheme), url?.host?.isEmpty == false,
      (1...65_535).contains(url?.port ?? 80)
    else {
      throw SettingError(key: key, value: text, need: "an address such as http://localhost:9000")
    }
    return text
  }
}

/// An error thrown when the value of a setting is invalid.
public struct SettingError: Error, Hashable, CustomStringConvertible {
  /// The key of the setting, below `tracker`.
  public let key: String

  /// The invalid value.
  public let value: String

  /// The requirement for valid values, such as `a whole number from 0 to 9`, worded to follow "it
  /// has to be" in a sentence.
  public let need: String

  /// The command-line option that supplied the value; `nil` for an environment variable.
  public var option: String?

  /// The error as a sentence with the name of the option or the environment variable.
  public var description: String {
    let variable = "TRACKER_" + key.uppercased().replacingOccurrences(of: ".", with: "_")
    let name = option ?? variable
    return "\(name) is \(value.prefix(100).debugDescription); it has to be \(need)"
  }
}
