import Foundation

/// A location in a JSON document, given by the keys that lead to it. These keys are spelled as in
/// the document, even if a decoder converts them for the models.
///
/// ```swift
/// let users: JSONKeyPath = "collection.users"
/// let dotted: JSONKeyPath = ["a.key.with.dots", "users"]
/// ```
public struct JSONKeyPath: Sendable, Hashable {
  /// The keys, outermost first; empty for the document itself.
  public let keys: [String]

  /// The path of the document itself.
  public static let root = JSONKeyPath(keys: [])

  /// Creates a path from keys, which may contain any character.
  ///
  /// - Parameter keys: The keys, outermost first.
  public init(keys: [String]) {
    self.keys = keys
  }

  /// Creates a path from a string.
  ///
  /// - Parameter text: The keys, separated by dots; empty for the document itself.
  public init(_ text: String) {
    keys = text.isEmpty ? [] : text.components(separatedBy: ".")
  }
}

extension JSONKeyPath: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// Creates a path from keys separated by dots.
  public init(stringLiteral text: String) { self.init(text) }

  /// Creates a path from keys, which may contain any character.
  public init(arrayLiteral keys: String...) { self.init(keys: keys) }
}

extension JSONKeyPath: CustomStringConvertible {
  /// The keys, separated by dots.
  public var description: String { keys.joined(separator: ".") }
}
