import Pebbles

/// An error in calling a body or a teardown outside of a run. Either the call is impossible, or an
/// input or an output cannot be passed to another process.
public struct AttemptError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the affected pebble.
  public let pebble: String

  /// The problem, as a sentence.
  public let description: String

  init(_ pebble: String, _ clause: String) {
    self.pebble = pebble
    description = "\(pebble.shortName) \(clause)"
  }

  /// Returns a clause that describes an output of the given type as not `Encodable`. The clause
  /// follows the pebble's name in a sentence.
  static func notEncodable(_ type: String) -> String {
    "has an output that cannot leave the process: \(type) is not Encodable"
  }
}
