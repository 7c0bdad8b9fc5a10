import Pebbles

/// A failure that was handled. A pebble handles a failure if it runs and reads either the failed
/// pebble or a pebble that was skipped because of the failure.
package struct HandledFailure: Sendable, Hashable {
  /// The position of the failed pebble in definition order.
  package let position: Int

  /// The positions of the pebbles that handled the failure, in definition order.
  package let handlers: [Int]
}

extension RecordedRun {
  /// The handled failures, in definition order, each with the pebbles that handled it; see
  /// `Report.unhandledFailures`. Failures caused by the cancellation of the run are not included.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: The complexity of ``unhandledFailures``, plus O(*a*) for each handled failure.
  ///   Here, *a* is the number of atoms that read the failed pebble, or a pebble that was skipped
  ///   because of the failure.
  package var handledFailures: [HandledFailure] {
    get throws(RecordingError) {
      let unhandled = Set(try unhandledFailures.map(\.name))
      let cases = heldCases
      return pebbles.indices.compactMap { position in
        let pebble = pebbles[position]
        guard pebble.outcome.isFailed, !pebble.wasCancelled, !unhandled.contains(pebble.name)
        else { return nil }
        return HandledFailure(position: position, handlers: handlers(of: position, cases))
      }
    }
  }

  /// Returns the pebbles that handled the failure of a pebble: those that ran and read either the
  /// failed pebble or a pebble that was skipped because of the failure.
  private func handlers(of failed: Int, _ cases: Set<Int>) -> [Int] {
    let network = model.pond.network
    var handlers: Set<Int> = []
    var handedOn: Set<Int> = []
    var pending = [(pebble: failed, event: Event.failed)]
    while let (next, event) = pending.popLast() {
      for reader in network.readers(of: next) {
        switch pebbles[reader.pebble].outcome {
        case .succeeded, .failed: handlers.insert(reader.pebble)
        case .skipped(let reason):
          let isFalse = reader.isFalse(after: event, caseHolds: cases.contains)
          guard reason.handsOn, isFalse, handedOn.insert(reader.pebble).inserted else { continue }
          pending.append((reader.pebble, .skipped))
        }
      }
    }
    return handlers.sorted()
  }
}

extension ReadinessNetwork.Reader {
  /// Returns whether at least one of the reader's atoms becomes false when the pebble that the
  /// atoms mention ends with the outcome `event`.
  fileprivate func isFalse(after event: Event, caseHolds: (Int) -> Bool) -> Bool {
    rejects(event)
      || cases.contains { $0.outcomes.accepts(event) && caseHolds($0.row) == $0.isNegated }
  }
}

extension SkipReason {
  /// Whether a pebble skipped for this reason passes on the failure that caused the skip.
  fileprivate var handsOn: Bool {
    switch self {
    case .conditionFalse, .stalled: true
    case .cancelled, .disabled, .notAskedFor, .resourceHeld, .notInRun: false
    }
  }
}
