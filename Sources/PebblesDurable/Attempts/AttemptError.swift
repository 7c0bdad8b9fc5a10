import Pebbles

/// The body of a pebble cannot be called outside of a run, or what it takes or gives cannot cross
/// into another process.
public struct AttemptError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble whose body was to be called.
  public let pebble: String

  /// What is wrong, as a sentence.
  public let description: String

  init(_ pebble: String, _ clause: String) {
    self.pebble = pebble
    description = "\(pebble.shortName) \(clause)"
  }

  /// What is wrong with an output of this type, which somebody reads.
  static func notEncodable(_ type: String) -> String {
    "has an output that cannot leave the process: \(type) is not Encodable"
  }
}
