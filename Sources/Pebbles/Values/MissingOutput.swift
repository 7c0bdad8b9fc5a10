/// An output that is not there any more, although its pebble has succeeded.
///
/// Safe to share: a constant.
package final class MissingOutput: AnyOutput, @unchecked Sendable {
  /// Why, as what follows the name of the pebble.
  package let clause: String

  package init(_ clause: String) {
    self.clause = clause
  }
}
