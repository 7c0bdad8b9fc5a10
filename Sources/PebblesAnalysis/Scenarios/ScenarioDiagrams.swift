import Synchronization

/// The diagrams behind `Scenarios`.
///
/// Each question is answered from where the run in all scenarios ended, and what it added to the
/// diagram is forgotten: so an answer does not depend on the questions asked before.
final class ScenarioDiagrams: Sendable {
  /// How each pebble ends.
  let pebbles: [SymbolicPebble?]

  private let state: Mutex<State>

  private struct State: Sendable {
    var run: SymbolicRun
    /// How many endings there are, once that was asked for.
    var endingCount: UInt128??
    /// The runs that a failure may cancel, once that was asked for.
    var cancelled: CancelledScenarios??
  }

  private let limit: Int

  init(_ run: SymbolicRun, limit: Int) {
    pebbles = run.pebbles
    self.limit = limit
    state = Mutex(State(run: run))
  }

  /// Answers a question that may need new nodes; `nil` if there is no room for them.
  func ask<Answer: Sendable>(
    _ question: (inout SymbolicRun) throws(DiagramLimitReached) -> Answer
  ) -> Answer? {
    state.withLock { Self.ask(&$0.run, question) }
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
  var endingCount: UInt128? {
    state.withLock { state in
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
