import Pebbles
import PebblesAnalysis

/// What a run did otherwise than a test expected, and why it did so.
///
/// A test that throws this fails, with Swift Testing and with XCTest, and both print it.
public struct ExpectationFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was expected and what happened; then why. Never empty.
  public let lines: [String]

  /// Where it was expected, as `Module/File.swift`.
  public let fileID: String

  /// Where it was expected.
  public let line: Int

  /// All lines, and where the expectation is.
  public var description: String {
    let indented = lines.prefix(1) + lines.dropFirst().map { "  \($0)" }
    return indented.joined(separator: "\n") + "\n  expected at \(fileID):\(line)"
  }
}

extension Report {
  /// Whether a pebble has a part in how another one ended.
  func isBehind(_ pebble: Int, _ other: Int) -> Bool {
    // What decided its condition, what decided that of this one, and so on, up to one that failed:
    // that it could start is not why. Then all the rest that it takes for that to be so.
    let state = storage.state
    var cause = state.cause(of: other)
    while let last = cause, last != pebble {
      cause = state.status(of: last) == .failed ? nil : state.cause(of: last)
    }
    return cause != nil || why(other)?.nodes.dropFirst().contains { $0.position == pebble } == true
  }

  /// Why a pebble ended as it did, some lines.
  func reasons(for pebble: Int) -> [String] {
    guard let why = why(pebble) else { return [records[pebble].explanation] }
    return "\(why)".split(separator: "\n").map(String.init)
  }

  private func why(_ pebble: Int) -> Why? {
    // Predicates that held at odd times can make a run incomprehensible.
    (try? recorded().why(at: pebble)) ?? nil
  }
}
