/// The status of a pebble in a run. It only moves down this list, and enters the settled part once.
package enum PebbleStatus: UInt8, Sendable {
  /// A pebble whose condition is undecided, or which is ready but not taken by a runner yet.
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
