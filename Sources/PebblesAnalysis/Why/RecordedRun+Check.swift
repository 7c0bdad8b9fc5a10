import Pebbles

/// What is asked of a report when its run is over, asked of the record of it.
extension RecordedRun {
  /// The failed pebbles whose failure nothing took care of, in definition order, and the services
  /// that had ended for good without having been asked to: those of `Report.unhandledFailures`,
  /// which says when a failure is handled.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public var unhandledFailures: [RecordedPebble] {
    get throws(RecordingError) {
      let replay = try Replay(self)
      var handlers = FailureHandlers(model.pond.network)
      let status = replay.state.status(of:)
      return pebbles.indices.filter { position in
        let pebble = pebbles[position]
        return pebble.service?.isDown == true
          || pebble.outcome.isFailed && !pebble.wasCancelled
            && handlers.handling(ofFailure: position, status: status) != .certain
      }.map { pebbles[$0] }
    }
  }

  /// What a process exited with whose life was this run, as `Report.exitCode` says it: 0 if all was
  /// well, otherwise 1.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public var exitCode: Int32 {
    get throws(RecordingError) {
      let isWell =
        cancellation?.isOrderly != false && shutdown?.failures.isEmpty != false
        && pebbles.allSatisfy(\.lateTeardownErrors.isEmpty)
      let unhandled = try unhandledFailures
      return isWell && unhandled.isEmpty ? 0 : 1
    }
  }
}
