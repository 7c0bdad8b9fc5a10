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
          && handlers.handling(ofFailure: $0.position, in: state) != .handled
    }
  }

  /// The pebbles that have succeeded with an output that is none of all the values that there are,
  /// of those whose values are told apart, in definition order: see `Pebble.is(_:)`.
  ///
  /// - Complexity: O(cases).
  public var strayValues: [PebbleRecord] {
    storage.pond.graph.cases.filter { pebble, list in
      list.isExhaustive && storage.state.status(of: pebble) == .succeeded
        && !storage.state.cases(of: pebble).contains(where: \.isValue)
    }.keys.sorted().map { records[$0] }
  }

  /// Throws if any failure was left unhandled, or the goal of the pond was not reached.
  ///
  /// ```swift
  /// let report = try await pond.run()
  /// try report.check()
  /// ```
  ///
  /// - Throws: ``RunFailed`` with all that went wrong: ``unhandledFailures``, ``missedGoal`` and
  ///   ``strayValues``.
  public func check() throws(RunFailed) {
    let failed = RunFailed(
      pondName: pondName, unhandledFailures: unhandledFailures, missedGoal: missedGoal,
      strayValues: strayValues)
    if !failed.isEmpty { throw failed }
  }
}

/// A run did not do what it should have: see ``Report/check()``.
public struct RunFailed: Error, Sendable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// The records of the pebbles that failed, and no pebble that ran read that, nor what was skipped
  /// because of it, in definition order: see ``Report/unhandledFailures``.
  public let unhandledFailures: [PebbleRecord]

  /// Why the goal of the pond was not reached, as a sentence; `nil` if it was, or was not asked
  /// for.
  public let missedGoal: String?

  /// The records of the pebbles with an output that is none of all values: see
  /// ``Report/strayValues``.
  public let strayValues: [PebbleRecord]

  fileprivate var isEmpty: Bool {
    unhandledFailures.isEmpty && missedGoal == nil && strayValues.isEmpty
  }

  /// Why the goal was missed, and the first hundred failures and strays, a line each. Long names
  /// and errors are cut.
  public var description: String {
    let name = pondName.truncated(to: 60).swiftLiteral
    var lines: [String] = []
    if let missedGoal { lines.append("the pond \(name): \(missedGoal.singleLine)") }
    if !unhandledFailures.isEmpty {
      lines.append("failures nobody handled in the pond \(name):")
      lines += unhandledFailures.lines { "  - \($0.explanation)" }
    }
    if !strayValues.isEmpty {
      lines.append("outputs that are none of all values in the pond \(name):")
      lines += strayValues.lines { "  - \($0.name.shortName)" }
    }
    return lines.joined(separator: "\n")
  }
}
