/// An output that is no longer available, although its pebble has succeeded.
///
/// Safe to share: a constant.
package final class MissingOutput: AnyOutput, @unchecked Sendable {
  /// The reason, worded to follow the pebble's name in a sentence:
  /// `"is a service, which ended with its process"`.
  package let clause: String

  package init(_ clause: String) {
    self.clause = clause
  }
}
