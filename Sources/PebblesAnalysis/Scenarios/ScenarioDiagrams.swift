import Synchronization

/// The decision diagrams from which `Scenarios` computes its answers.
///
/// Every question starts from the diagram of the finished run, and the nodes it adds are forgotten
/// afterwards. Answers therefore do not depend on earlier questions.
final class ScenarioDiagrams: Sendable {
  /// The outcome of each pebble, in definition order; `nil` if the outcome is too large for the
  /// diagram.
  let pebbles: [SymbolicPebble?]

  /// Whether pebbles can stall and the failure policy can cancel runs. If so, a run may be cut off
  /// before a stall.
  let areStallsCutOff: Bool

  /// Whether `pebbles` contains the outcomes at the end of runs. This is `false` only if
  /// `areStallsCutOff` is `true`, and the outcomes do not fit in the diagram or may depend on the
  /// order in which bodies end.
  let areEndingsKnown: Bool

  private let state: Mutex<State>

  private struct State: Sendable {
    var run: SymbolicRun
    /// The number of endings. The outer optional is `nil` until the number is computed; the inner
    /// optional is `nil` if the number is unknown.
    var endingCount: LargeCount??
    /// The runs that a failure may cancel. The outer optional is `nil` until the runs are computed;
    /// the inner optional is `nil` if they are unknown.
    var cancelled: CancelledScenarios??
  }

  private let limit: Int

  init(_ run: SymbolicRun, limit: Int) {
    var run = run
    areStallsCutOff = run.model.failurePolicy == .cancelAll && run.hasStalls
    areEndingsKnown = !areStallsCutOff || run.cutOffBeforeStalls()
    pebbles = run.pebbles
    self.limit = limit
    state = Mutex(State(run: run))
  }

  /// Returns the answer to a question that may need new nodes; `nil` if the nodes do not fit, or if
  /// the endings are not known.
  func ask<Answer: Sendable>(
    _ question: (inout SymbolicRun) throws(DiagramLimitReached) -> Answer
  ) -> Answer? {
    guard areEndingsKnown else { return nil }
    return state.withLock { Self.ask(&$0.run, question) }
  }

  /// Returns the answer to a question about runs that a failure may cancel under the policy of the
  /// pond; `nil` if the diagrams of these runs would be too large.
  func askAboutCancelled<Answer: Sendable>(
    _ question: (inout CancelledScenarios) throws(DiagramLimitReached) -> Answer
  ) -> Answer? {
    state.withLock { state in
      let model = state.run.model
      let known =
        state.cancelled
        ?? CancelledScenarios(
          model, limit: limit, isCutByAny: model.failurePolicy == .custom)
      // The scenarios are taken out of the state, so that changing them does not copy them.
      state.cancelled = .some(nil)
      guard var scenarios = known else { return nil }
      let nodeCount = scenarios.run.diagram.nodeCount
      scenarios.run.diagram.allowMoreSteps()
      defer {
        scenarios.run.diagram.forgetNodes(since: nodeCount)
        state.cancelled = scenarios
      }
      do throws(DiagramLimitReached) {
        return try question(&scenarios)
      } catch {
        return nil
      }
    }
  }

  /// The number of endings; `nil` if it is unknown.
  var endingCount: LargeCount? {
    guard areEndingsKnown else { return nil }
    return state.withLock { state in
      if let known = state.endingCount { return known }
      let count =
        Self.ask(&state.run) { run throws(DiagramLimitReached) in try run.endingCount() } ?? nil
      state.endingCount = .some(count)
      return count
    }
  }

  private static func ask<Answer>(
    _ run: inout SymbolicRun,
    _ question: (inout SymbolicRun) throws(DiagramLimitReached) -> Answer
  ) -> Answer? {
    let nodeCount = run.diagram.nodeCount
    run.diagram.allowMoreSteps()
    defer { run.diagram.forgetNodes(since: nodeCount) }
    do throws(DiagramLimitReached) {
      return try question(&run)
    } catch {
      return nil
    }
  }
}

extension SymbolicRun {
  /// Replaces the outcomes with those of runs that an unhandled failure cancels as late as
  /// possible, but before the next stall.
  ///
  /// - Returns: Whether these outcomes are known.
  fileprivate mutating func cutOffBeforeStalls() -> Bool {
    let count = diagram.nodeCount
    diagram.allowMoreSteps()
    do throws(DiagramLimitReached) {
      var cut = try CutOff(&self, .unhandledFailure, isAnytime: false)
      try cut.settle(&self)
      guard !cut.dependsOnOrder else { return false }
      var endings = cut.pebbles
      for pebble in endings.indices {
        // A cancelled pebble takes no part, so it does not pass on any failure.
        let isKnown = try diagram.or(cut.started[pebble], cut.progress.skipped[pebble])
        let disabled = endings[pebble]?.disabled ?? .never
        endings[pebble]?.disabled = try diagram.or(disabled, !isKnown)
      }
      pebbles = endings
      return true
    } catch {
      diagram.forgetNodes(since: count)
      return false
    }
  }
}
