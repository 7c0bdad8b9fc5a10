/// The error that is thrown if a pebble cannot be found: it belongs to another pond, it was added
/// too late, or there is no pebble with the name. See ``PebbleIdentifying``.
public struct UnknownPebbleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let name: String

  /// The fault, as a sentence.
  public let description: String

  package init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}
