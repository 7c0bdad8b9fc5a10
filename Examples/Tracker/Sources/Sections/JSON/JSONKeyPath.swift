import Foundation

/// Where in a JSON document something stands: the keys on the way to it.
///
/// ```swift
/// let users: JSONKeyPath = "collection.users"
/// let dotted: JSONKeyPath = ["a.key.with.dots", "users"]
/// ```
public struct JSONKeyPath: Sendable, Hashable {
  /// The keys, outermost first; none for the document itself.
  public let keys: [String]

  /// The document itself.
  public static let root = JSONKeyPath(keys: [])

  /// Makes a path from keys, which may hold any character.
  ///
  /// - Parameter keys: Outermost first.
  public init(keys: [String]) {
    self.keys = keys
  }

  /// Makes a path from text.
  ///
  /// - Parameter text: Keys with dots between them; nothing for the document itself.
  public init(_ text: String) {
    keys = text.isEmpty ? [] : text.components(separatedBy: ".")
  }
}

extension JSONKeyPath: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// Makes a path from keys with dots between them.
  public init(stringLiteral text: String) { self.init(text) }

  /// Makes a path from keys, which may hold any character.
  public init(arrayLiteral keys: String...) { self.init(keys: keys) }
}

extension JSONKeyPath: CustomStringConvertible {
  /// The keys with dots between them.
  public var description: String { keys.joined(separator: ".") }
}
