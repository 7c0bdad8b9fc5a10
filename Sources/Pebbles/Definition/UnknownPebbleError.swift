/// A pebble was asked about that is not there: it belongs to another pond, was added later, or no
/// pebble has this name. See ``PebbleIdentifying``.
public struct UnknownPebbleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let name: String

  /// What is wrong, as a sentence.
  public let description: String

  package init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}
