import Pebbles

/// An error that occurs when a body or a teardown is called outside of a run. Either the call is
/// impossible, or an input or an output cannot be passed to another process.
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
