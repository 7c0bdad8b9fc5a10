/// The status of a pebble in a run. A pebble is `waiting` at first, may become `running`, and
/// settles once, with one of the other statuses. A `running` pebble becomes `waiting` again if its
/// start is revoked.
package enum PebbleStatus: UInt8, Sendable {
  /// A pebble whose condition is undecided, or that is ready but has not started yet.
  case waiting
  /// A pebble whose body has been started.
  case running

  case succeeded
  case failed
  case skippedByCondition
  case skippedByStall
  case skippedByCancellation
  case skippedAsDisabled
  case skippedAsNotAskedFor
  case skippedByHolder

  package var isSettled: Bool { rawValue >= PebbleStatus.succeeded.rawValue }

  package var event: Event? {
    switch self {
    case .waiting, .running: nil
    case .succeeded: .succeeded
    case .failed: .failed
    case .skippedByCondition, .skippedByStall, .skippedByCancellation, .skippedAsDisabled,
      .skippedAsNotAskedFor, .skippedByHolder:
      .skipped
    }
  }
}
