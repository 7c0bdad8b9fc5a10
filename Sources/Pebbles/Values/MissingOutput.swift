/// An output that is no longer available, although its pebble has succeeded.
///
/// Safe to share: a constant.
package final class MissingOutput: AnyOutput, @unchecked Sendable {
  /// The reason, as a clause that follows the name of the pebble.
  package let clause: String

  package init(_ clause: String) {
    self.clause = clause
  }
}
