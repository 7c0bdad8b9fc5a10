import Synchronization

/// The diagrams behind `Scenarios`.
///
/// Each question is answered from where the run in all scenarios ended, and what it added to the
/// diagram is forgotten: so an answer does not depend on the questions asked before.
final class ScenarioDiagrams: Sendable {
  /// How each pebble ends.
  let pebbles: [SymbolicPebble?]

  /// Whether there are stalls that a failure may cut off.
  let areStallsCutOff: Bool

  /// Whether `pebbles` are how runs end. If they stall more than once, and a failure from before a
  /// stall becomes unhandled after it, that depends on the order in which bodies end; and it may
  /// not fit.
  let areEndingsKnown: Bool

  private let state: Mutex<State>

  private struct State: Sendable {
    var run: SymbolicRun
    /// How many endings there are, once that was asked for.
    var endingCount: LargeCount??
    /// The runs that a failure may cancel, once that was asked for.
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

  /// Answers a question that may need new nodes; `nil` if there is no room for them.
  func ask<Answer: Sendable>(
    _ question: (inout SymbolicRun) throws(DiagramLimitReached) -> Answer
  ) -> Answer? {
    guard areEndingsKnown else { return nil }
    return state.withLock { Self.ask(&$0.run, question) }
  }

  /// Answers a question about runs that a failure may cancel, by the policy of the pond; `nil` if
  /// there is no room for them.
  func askAboutCancelled<Answer: Sendable>(
    _ question: (inout CancelledScenarios) throws(DiagramLimitReached) -> Answer
  ) -> Answer? {
    state.withLock { state in
      let model = state.run.model
      let known =
        state.cancelled
        ?? CancelledScenarios(
          model, limit: limit, isCutByAny: model.failurePolicy == .custom)
      // Taken out, lest asking copy it.
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

  /// How many endings there are; `nil` if that is unknown.
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
  /// Makes how pebbles end how they do where a failure that no pebble handles comes last, and
  /// cancels the run before the next stall.
  ///
  /// - Returns: Whether that is known.
  fileprivate mutating func cutOffBeforeStalls() -> Bool {
    let count = diagram.nodeCount
    diagram.allowMoreSteps()
    do throws(DiagramLimitReached) {
      var cut = try CutOff(&self, .unhandledFailure, isAnytime: false)
      try cut.settle(&self)
      guard !cut.dependsOnOrder else { return false }
      var endings = cut.pebbles
      for pebble in endings.indices {
        // What is cancelled takes no part either: it hands no failure on.
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
