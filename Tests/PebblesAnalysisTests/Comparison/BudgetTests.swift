import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests that a run meets a budget, or that a sentence is reported for each line it violates.
@Suite(.watched) struct BudgetTests {
  @Test func aRunWithinItsBudgetPasses() throws {
    let run = try boot([200, 300, 10])

    try Budget(
      .makespan(atMost: .milliseconds(310)), .pebble(.named("cores"), atMost: .milliseconds(300))
    ).check(run)
    try Budget().check(run)
  }

  @Test func everyBrokenLineIsASentence() throws {
    let budget = Budget(
      .makespan(atMost: .milliseconds(300)), .pebble(.named("load"), atMost: .milliseconds(500)),
      .pebble(.named("cores"), atMost: .nanoseconds(299_999_999)))

    let error = #expect(throws: BudgetError.self) { try budget.check(boot([200, 300, 10])) }

    #expect(
      error?.description == """
        the pond "boot" did not keep to its budget:
          - the run took 310 ms; 300 ms are allowed
          - cores took 300 ms; 299.999999 ms are allowed
        """)
  }

  @Test func relativeLinesAreMeasuredAgainstABaseline() throws {
    let baseline = try boot([200, 300, 10])
    let run = try boot([239, 375, 10])
    let budget = Budget(
      .pebble(.named("load"), atMost: 1.2, timesThatOf: baseline),
      .pebble(.named("cores"), atMost: 1.2, timesThatOf: baseline),
      .makespan(atMost: 1.25, timesThatOf: baseline))

    try Budget(.makespan(atMost: 1, timesThatOf: baseline)).check(baseline)
    let error = #expect(throws: BudgetError.self) { try budget.check(run) }

    #expect(
      error?.violations == [
        "cores took 375 ms; 360 ms are allowed, 1.2 times the 300 ms of the baseline"
      ])
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity, -1, 0, -0.0, -.leastNonzeroMagnitude])
  func factorsThatCannotBeMeantBreakTheLine(_ factor: Double) throws {
    let run = try boot([1, 1, 1])
    let budget = Budget(
      .makespan(atMost: factor, timesThatOf: run),
      .pebble(.named("load"), atMost: factor, timesThatOf: run)
    )

    let error = #expect(throws: BudgetError.self) { try budget.check(run) }

    #expect(error?.violations.count == 2)
    #expect(error?.violations.allSatisfy { $0.contains("finite and above zero") } == true)
  }

  @Test func factorsBeyondAllBoundsAllowEverything() throws {
    let run = try boot([.max / 2_000_000, 1, 1])

    try Budget(.makespan(atMost: .greatestFiniteMagnitude, timesThatOf: run)).check(run)
  }

  @Test func limitsBelowZeroBreakTheLine() throws {
    let error = #expect(throws: BudgetError.self) {
      try Budget(.makespan(atMost: .seconds(-1))).check(boot([1, 1, 1]))
    }

    #expect(error?.violations.first?.contains("a limit must be zero or more") == true)
  }

  /// Checks a budget with many lines that refer to a baseline. The test would practically never end
  /// if the pebbles of the baseline were searched anew for each line.
  @Test func everyPebbleCanBeMeasuredAgainstABaseline() throws {
    let pond = Pond("large")
    let pebbles = (0..<20_000).map { pond.pebble("p\($0)") {} }
    let baseline = try pond.simulated(durations: pebbles.map { _ in 1_000_000 })
    let run = try pond.simulated(durations: pebbles.indices.map { $0 == 7 ? 3_000_000 : 2_000_000 })
    let budget = Budget(pebbles.map { .pebble($0, atMost: 2, timesThatOf: baseline) })

    let error = #expect(throws: BudgetError.self) { try budget.check(run) }

    #expect(error?.violations.count == 1)
    #expect(error?.violations.first?.hasPrefix("p7 took 3 ms") == true)
  }

  @Test func aPebbleThatTheRunDoesNotHaveBreaksTheLine() throws {
    let run = try boot([1, 1, 1])
    let other = try Pond("other").simulated()
    let budget = Budget(
      .pebble(.named("laod"), atMost: .seconds(1)),
      .pebble(.named("load"), atMost: 2, timesThatOf: other))

    let error = #expect(throws: BudgetError.self) { try budget.check(run) }

    #expect(
      error?.violations == [
        "there is no pebble named laod", "there is no pebble named load in the baseline",
      ])
  }

  @Test func aPebbleThatWasSkippedBreaksTheLine() throws {
    let run = try boot([1, 1, 1], failing: [0])
    let whole = try boot([1, 1, 1])
    let budget = Budget(.pebble(.named("show"), atMost: .seconds(1)))
    let relative = Budget(.pebble(.named("show"), atMost: 2, timesThatOf: run))

    let error = #expect(throws: BudgetError.self) { try budget.check(run) }
    let other = #expect(throws: BudgetError.self) { try relative.check(whole) }

    #expect(error?.violations == ["show was skipped, so it has no duration to check"])
    #expect(
      other?.violations == [
        "show was skipped in the baseline, so it has no duration to check"
      ])
  }

  @Test func aPebbleThatWasKeptBreaksTheLine() async throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("show", when: load.succeeded) { throw Breakdown() }
    let first = try pond.start()
    let whole = try await first.report.recorded()
    let run = try await first.resumed().report.recorded()
    let budget = Budget(.pebble(load, atMost: .seconds(1_000)))
    let relative = Budget(.pebble(load, atMost: 1_000, timesThatOf: run))

    let error = #expect(throws: BudgetError.self) { try budget.check(run) }
    let other = #expect(throws: BudgetError.self) { try relative.check(whole) }

    #expect(
      error?.violations == [
        "load was kept from an earlier run, so it has no duration to check"
      ])
    #expect(
      other?.violations == [
        "load was kept from an earlier run in the baseline, so it has no duration to check"
      ])
  }

  @Test func theMakespanOfACancelledRunSaysNothing() async throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let load = pond.pebble("load") { throw Breakdown() }
    let report = try await pond.run()
    let budget = Budget(.makespan(atMost: .seconds(1_000)), .pebble(load, atMost: .seconds(1_000)))

    let error = #expect(throws: BudgetError.self) { try budget.check(report) }

    #expect(
      error?.violations == [
        "the run was cancelled, because load failed, so its makespan means nothing"
      ])
  }

  @Test func theMakespanOfACancelledBaselineIsNoMeasure() throws {
    let run = try boot([1, 1, 1])
    let baseline = try RecordedRun(
      model: run.model, pebbles: run.pebbles, makespan: run.makespan,
      cancellation: RecordedCancellation("its deadline passed", isOrderly: false))
    let budget = Budget(.makespan(atMost: 2, timesThatOf: baseline))

    let error = #expect(throws: BudgetError.self) { try budget.check(run) }

    #expect(
      error?.violations == [
        "the run was cancelled in the baseline, because its deadline passed, so its makespan "
          + "means nothing"
      ])
  }

  @Test(arguments: [
    (999, "999 ns"), (1_000, "1 µs"), (999_999, "999.999 µs"), (1_000_000, "1 ms"),
    (1_000_000_000, "1 s"), (1_000_000_001, "1.000000001 s"),
  ])
  func timesAreToldInTheLargestUnitThatFits(_ nanoseconds: Int64, _ text: String) throws {
    let pond = Pond("boot")
    pond.pebble("load") {}
    let run = try pond.simulated(durations: [UInt64(nanoseconds)])

    let error = #expect(throws: BudgetError.self) {
      try Budget(.makespan(atMost: .zero)).check(run)
    }

    #expect(error?.violations == ["the run took \(text); 0 ns are allowed"])
  }

  private func boot(_ milliseconds: [UInt64], failing: [Int] = []) throws -> RecordedRun {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let cores = pond.pebble("cores") {}
    pond.pebble("show", when: load.succeeded && cores.succeeded) {}
    return try pond.simulated(durations: milliseconds.map { $0 * 1_000_000 }) {
      for pebble in failing { $0.failures[pebble] = "refused" }
    }
  }
}
