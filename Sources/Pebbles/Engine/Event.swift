/// What can happen, once, at a source of the network.
package enum Event: UInt32, CaseIterable, Sendable {
  case succeeded = 0
  case failed = 1
  case skipped = 2

  /// A gate reports its value with the first two events.
  package init(_ value: Bool) {
    self = value ? .succeeded : .failed
  }
}
