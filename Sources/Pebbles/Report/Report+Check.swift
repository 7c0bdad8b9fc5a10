extension Report {
  /// The failed pebbles whose failure nothing took care of, in definition order, and the services
  /// that have ended for good without having been asked to, or pebbles inside of which one has.
  ///
  /// A failure is *handled* when a pebble that reads it ran: one that has the failed pebble in its
  /// condition, with whichever atom, or among its inputs. A reader
  /// that was skipped because of the failure hands it on: if `fetch` fails, `store` is skipped for
  /// want of it, and `offline`, which waits for `store.skipped`, runs, then the failure of `fetch`
  /// is handled. A reader is skipped because of a failure if one of its atoms is false by it. What
  /// was cancelled or disabled hands on nothing.
  ///
  /// So it depends only on how pebbles ended, not on when: of two mirrors in
  /// `primary.succeeded || secondary.succeeded` one may fail, and `serve` may have run before or
  /// after that. What failed because the run itself cancelled it is no failure.
  ///
  /// - Complexity: O(pebbles), and O(atoms above them) for the pebbles that failed, and those that
  ///   were skipped because of them.
  public var unhandledFailures: [PebbleRecord] {
    let state = storage.state
    var handlers = FailureHandlers(state.network)
    let down = storage.pebblesWithServiceDown
    return records.filter {
      down.contains($0.position)
        || $0.outcome.isFailed && !$0.wasCancelled
          && handlers.handling(ofFailure: $0.position, status: state.status(of:)) != .certain
    }
  }

  /// Throws if any failure was left unhandled.
  ///
  /// ```swift
  /// let report = try await pond.run()
  /// try report.check()
  /// ```
  ///
  /// - Throws: ``UnhandledFailures`` with all of them.
  public func check() throws(UnhandledFailures) {
    let unhandled = unhandledFailures
    guard unhandled.isEmpty else {
      throw UnhandledFailures(pondName: pondName, records: unhandled)
    }
  }
}

/// Pebbles failed, and no pebble that ran read that, nor what was skipped because of it. See
/// ``Report/unhandledFailures``.
public struct UnhandledFailures: Error, Sendable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// The records of the failed pebbles, in definition order. Never empty.
  public let records: [PebbleRecord]

  /// The first hundred failures, a line each. Long names and errors are cut.
  public var description: String {
    let name = pondName.truncated(to: 60).swiftLiteral
    let heading = "failures nobody handled in the pond \(name):"
    return ([heading] + records.lines { "  - \($0.explanation)" }).joined(separator: "\n")
  }
}

extension RunStorage {
  /// Whether the failure of a pebble is handled, or may still be. For several at once, ask one
  /// `FailureHandlers`.
  func handling(ofFailure pebble: Int) -> FailureHandling {
    var handlers = FailureHandlers(pond.network)
    return handlers.handling(ofFailure: pebble, status: state.status(of:))
  }
}
