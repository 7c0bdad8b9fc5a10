extension Report {
  /// The records of the pebbles with an unhandled failure or a service that is down, in definition
  /// order. A service is *down* if it has ended permanently without being asked to stop. Services
  /// of runs inside a pebble count as well.
  ///
  /// A failure is *handled* if a pebble that reads it has run. A pebble reads a failure if its
  /// condition has an atom on the failed pebble, or if the failed pebble is one of its inputs. A
  /// reader that was skipped because of the failure passes the failure on to its own readers. For
  /// example, `fetch` fails, `store` is skipped as a result, and `offline` runs because its
  /// condition is `store.skipped`. The failure of `fetch` is then handled. A reader is skipped
  /// because of a failure if the failure makes one of its atoms false. A reader that was skipped
  /// for another reason, such as a cancellation, passes nothing on.
  ///
  /// The result depends only on how pebbles ended, not on when. For example, if `serve` needs
  /// `primary.succeeded || secondary.succeeded` and has run, a failure of one of these two pebbles
  /// is handled, even if it came after `serve` had run. A failure that the run itself caused by
  /// cancelling the body is not included.
  ///
  /// - Complexity: O(pebbles), plus O(atoms of the dependent conditions) for each pebble that
  ///   failed, or was skipped because of a failure.
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

  /// The records of the pebbles whose output is not one of their listed values, in definition
  /// order; see `Pebble.is(_:)`.
  ///
  /// - Complexity: O(cases).
  public var strayValues: [PebbleRecord] {
    storage.pond.graph.cases.filter { pebble, list in
      list.isExhaustive && storage.state.status(of: pebble) == .succeeded
        && !storage.state.cases(of: pebble).contains(where: \.isValue)
    }.keys.sorted().map { records[$0] }
  }

  /// Throws an error if there is an unhandled failure, a missed goal, or an output that is not
  /// among the listed values of its pebble.
  ///
  /// ```swift
  /// let report = try await pond.run()
  /// try report.check()
  /// ```
  ///
  /// - Throws: ``RunFailed`` with everything that went wrong: ``unhandledFailures``, ``missedGoal``
  ///   and ``strayValues``.
  public func check() throws(RunFailed) {
    let failed = RunFailed(
      pondName: pondName, unhandledFailures: unhandledFailures, missedGoal: missedGoal,
      strayValues: strayValues)
    if !failed.isEmpty { throw failed }
  }

  /// Whether ``check()`` throws an error.
  ///
  /// - Complexity: The same as for ``unhandledFailures``.
  var hasFailed: Bool {
    isGoalReached == false || !unhandledFailures.isEmpty || !strayValues.isEmpty
  }
}

/// The error that ``Report/check()`` throws for a run with unhandled failures, a missed goal or
/// stray values.
public struct RunFailed: Error, Sendable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// The records of the pebbles with unhandled failures, in definition order; see
  /// ``Report/unhandledFailures``.
  public let unhandledFailures: [PebbleRecord]

  /// A sentence that explains why the goal of the pond was not reached; `nil` if
  /// ``Report/isGoalReached`` is `true` or `nil`.
  public let missedGoal: String?

  /// The records of the pebbles whose output is not one of their listed values, in definition
  /// order; see ``Report/strayValues``.
  public let strayValues: [PebbleRecord]

  fileprivate var isEmpty: Bool {
    unhandledFailures.isEmpty && missedGoal == nil && strayValues.isEmpty
  }

  /// The reason why the goal was missed, the first hundred unhandled failures, and the first
  /// hundred stray values, one per line. Long names and errors are truncated.
  public var description: String {
    let name = pondName.shortLiteral
    var lines: [String] = []
    if let missedGoal { lines.append("the pond \(name): \(missedGoal.singleLine)") }
    if !unhandledFailures.isEmpty {
      lines.append("unhandled failures in the pond \(name):")
      lines += unhandledFailures.lines { "  - \($0.explanation)" }
    }
    if !strayValues.isEmpty {
      lines.append("outputs that are none of the declared values in the pond \(name):")
      lines += strayValues.lines { "  - \($0.name.shortName)" }
    }
    return lines.joined(separator: "\n")
  }
}

extension Report {
  /// Whether the run has reached the goal of its pond. The value is `nil` if the pond has no goal,
  /// or if the run leaves out a pebble that the goal mentions. It is also `nil` if a caller, a
  /// signal or the end of the background time ended the run before it reached the goal.
  ///
  /// - Complexity: O(1).
  public var isGoalReached: Bool? {
    guard let goal = storage.state.goal else { return nil }
    if storage.state.value(ofGate: goal) == true { return true }
    return cancellation?.isOrderly == true ? nil : false
  }

  /// A sentence that explains why the run has not reached its pond's goal, and names the pebbles
  /// responsible; `nil` if ``isGoalReached`` is `true` or `nil`.
  ///
  /// ```
  /// the goal was not reached: it needs publish to succeed, but publish was blocked
  /// ```
  ///
  /// - Complexity: O(atoms of the goal). The first call for a run takes O(pebbles + atoms).
  public var missedGoal: String? {
    guard isGoalReached == false, let goal = storage.state.goal else { return nil }
    return Explanation(storage).missedGoal(goal)
  }
}
