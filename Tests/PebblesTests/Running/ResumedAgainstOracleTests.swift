import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of random ponds that are run, resumed with other outcomes, and resumed again.
@Suite(.watched) struct ResumedAgainstOracleTests {
  @Test(arguments: 0..<4) func randomPondsKeepWhatTheOracleKeeps(shard: Int) async throws {
    var generator = SeededGenerator(seed: 2_700_300 + UInt64(shard))
    for _ in 0..<Thoroughness.times(50) {
      let pond = ReferencePond.random(
        mostPebbles: 9, withCases: shard > 1, using: &generator)
      var story = Story(of: pond)
      try await story.run(using: &generator)
      guard story.problem == nil else {
        Issue.record("\(story.problem ?? ""):\n\(pond)")
        return
      }
    }
  }
}

/// A random pond that is run and resumed, and whose runs are compared with the oracle.
private struct Story {
  private var reference: ReferencePond
  private let pond = Pond("random")
  private let world: World
  private(set) var problem: String?

  /// The behavior of bodies, and the events that have happened to them.
  private final class World: Sendable {
    struct State {
      var succeeds: [Bool]
      var called: [Int] = []
      var tornDown: [Int] = []
    }

    let state: Mutex<State>

    init(_ succeeds: [Bool]) {
      state = Mutex(State(succeeds: succeeds))
    }

    func call(_ pebble: Int) throws {
      let succeeds = state.withLock { state in
        state.called.append(pebble)
        return state.succeeds[pebble]
      }
      if !succeeds { throw Breakdown() }
    }
  }

  init(of reference: ReferencePond) {
    self.reference = reference
    let world = World(reference.succeeds)
    self.world = world
    reference.define(in: pond, body: world.call) { pebble in
      world.state.withLock { $0.tornDown.append(pebble) }
    }
  }

  mutating func run(using generator: inout SeededGenerator) async throws {
    var run = try pond.start()
    var report = try await run.report
    var opened = report.succeeded
    for _ in 0..<3 {
      let expected = kept(after: report.succeeded)
      reference.succeeds = reference.succeeds.indices.map { pebble in
        expected.contains(pebble) || Int.random(in: 0..<3, using: &generator) > 0
      }
      world.state.withLock { state in
        state = World.State(succeeds: reference.succeeds)
      }

      run = try await run.resumed()
      report = try await run.report

      let state = world.state.withLock(\.self)
      check(report.kept == expected, "kept \(report.kept.sorted()), not \(expected.sorted())")
      check(expected.isDisjoint(with: state.called), "called what was kept: \(state.called)")
      check(
        Set(state.tornDown) == opened.subtracting(expected)
          && state.tornDown.count == Set(state.tornDown).count,
        "tore down \(state.tornDown) of \(opened.sorted()), keeping \(expected.sorted())")
      var whole = ReferenceRun(reference)
      whole.run { $0[0] }
      check(report.outcomes == whole.outcomes.map(\.?.word), "ended as \(report.outcomes)")
      opened = report.succeeded
      guard problem == nil else { return }
    }
    world.state.withLock { $0.tornDown = [] }
    let shutdown = try await run.shutdown()
    let torn = world.state.withLock(\.tornDown)
    check(
      Set(torn) == opened && torn.count == opened.count,
      "in the end tore down \(torn) of \(opened.sorted())")
    check(shutdown.failures.isEmpty, "did not tear down all")
  }

  /// Returns the pebbles that a resuming run must keep, determined from the original conditions. A
  /// pebble is kept if it had succeeded and its condition becomes true because of pebbles that are
  /// kept, or because of skips that follow from these.
  private func kept(after succeeded: Set<Int>) -> Set<Int> {
    var pond = reference
    pond.succeeds = pond.succeeds.map { _ in true }
    var run = ReferenceRun(pond, waitsAtRest: true)
    var kept: Set<Int> = []
    while let next = run.running.first(where: { succeeded.contains($0) }) {
      kept.insert(next)
      run.finish(next, succeeded: true)
    }
    return kept
  }

  private mutating func check(_ isRight: Bool, _ problem: @autoclosure () -> String) {
    if !isRight { self.problem = self.problem ?? problem() }
  }
}

extension Report {
  fileprivate var succeeded: Set<Int> {
    Set(records.indices.filter { records[$0].outcome.isSucceeded })
  }

  fileprivate var kept: Set<Int> { Set(records.indices.filter { records[$0].keptFrom != nil }) }

  fileprivate var outcomes: [String] { records.map(\.outcome.word) }
}

extension Outcome {
  fileprivate var word: String { isSucceeded ? "succeeded" : isFailed ? "failed" : "skipped" }
}

extension ReferenceOutcome {
  fileprivate var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }
}
