/// An event that happens at most once at a source of the network.
package enum Event: UInt32, CaseIterable, Sendable {
  case succeeded = 0
  case failed = 1
  case skipped = 2

  /// Creates the event with which a gate reports its value: `succeeded` for true, `failed` for
  /// false.
  package init(_ value: Bool) {
    self = value ? .succeeded : .failed
  }
}
