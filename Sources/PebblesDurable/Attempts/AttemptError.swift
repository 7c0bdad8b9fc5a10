import Pebbles

/// An error for a body or a teardown that cannot be called outside of a run, or for an input or an
/// output that cannot be passed to another process.
public struct AttemptError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the affected pebble.
  public let pebble: String

  /// A sentence that describes the problem.
  public let description: String

  init(_ pebble: String, _ clause: String) {
    self.pebble = pebble
    description = "\(pebble.shortName) \(clause)"
  }

  /// Returns a clause stating that an output of the given type is not `Encodable`, worded to follow
  /// the pebble's name in a sentence.
  static func notEncodable(_ type: String) -> String {
    "has an output that cannot leave the process: \(type) is not Encodable"
  }
}
