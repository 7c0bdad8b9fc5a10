import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that invalid options are reported as faults of the definition or of the run, and that
/// nothing is started.
@Suite(.watched) struct OptionFaultTests {
  private let pond = Pond("faulty")

  @Test(arguments: [
    (Duration.zero, "0.0 seconds"), (.nanoseconds(-1), "-1e-09 seconds"),
    (.seconds(-5), "-5.0 seconds"),
  ])
  func aTimeoutThatIsNoTimeIsAFault(timeout: Duration, text: String) async {
    let seed = pond.pebble("seed") { 1 }
    pond.pebble("plain", .timeout(timeout)) {}
    pond.pebble("inputs", .timeout(timeout), needs: seed) { _ in }
    pond.pebble("callback", .timeout(timeout)) { complete in complete(true) }
    pond.service("service", .timeout(timeout)) { ready in ready() }

    let problem = "has a timeout of \(text); it must be longer than zero"
    #expect(
      await faults()
        == ["plain", "inputs", "callback", "service"].map {
          .invalidOption(pebble: $0, problem: problem)
        })
  }

  @Test(arguments: [
    (RetryPolicy.attempts(0), 1), (.attempts(.min), 1),
    (.backoff(attempts: 0, initial: .seconds(1)), 1),
    (.backoff(attempts: .min, initial: .seconds(1)), 1),
    (.backoff(attempts: 2, initial: .zero), 1),
    (.backoff(attempts: 2, initial: .seconds(Int64.max)), 1),
    (.backoff(attempts: 2, initial: .seconds(1), factor: .nan), 1),
    (.backoff(attempts: 2, initial: .seconds(1), factor: .infinity), 1),
    (.backoff(attempts: 2, initial: .seconds(1), factor: -1), 1),
    (.backoff(attempts: 2, initial: .seconds(1), maximum: .seconds(Int64.min)), 1),
    (.backoff(attempts: -2, initial: .seconds(-1), factor: 0, maximum: .zero), 4),
  ])
  func aRetryThatCannotBeMeantIsAFault(retry: RetryPolicy, count: Int) async {
    pond.pebble("cores", .retry(retry)) { Issue.record("started") }

    let faults = await faults()

    #expect(faults.count == count)
    #expect(faults.map(\.description).allSatisfy { $0.hasPrefix("\"cores\" cannot be retried: ") })
  }

  @Test func anExecutorForABodyThatBlocksIsAFault() async {
    pond.pebble("cores", .executor(QueueExecutor()), .blocking) {}

    #expect(
      await faults() == [
        .invalidOption(
          pebble: "cores",
          problem: "has an executor and is blocking as well; a body runs in one place only")
      ])
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min), Duration(attoseconds: .min)])
  func aLimitThatIsNoTimeIsAFault(limit: Duration) async throws {
    pond.pebble("cores") { Issue.record("started") }

    let expected = PondError.Fault.invalidRun(
      problem: "has a time limit of \(limit); it must be longer than zero")
    #expect(await faults(within: limit) == [expected])
    let starting = #expect(throws: PondError.self) { try pond.start(within: limit) }
    #expect(starting?.faults == [expected])
    let refreshing = await #expect(throws: PondError.self) {
      try await pond.refresh(within: limit)
    }
    #expect(refreshing?.faults == [expected])
  }

  @Test(arguments: [Duration.zero, .seconds(-5), Duration(attoseconds: .min)])
  func aTimeForAShutdownThatIsNoTimeIsAFault(limit: Duration) async throws {
    pond.pebble("cores") {}
    let run = try pond.start()

    await #expect(throws: PondError.self) { try await run.shutdown(within: limit) }

    #expect(try await run.report.cancellation == nil)
  }

  @Test func allFaultsAreReportedTogether() async {
    pond.pebble("late", .timeout(.zero), .retry(.attempts(0))) { Issue.record("started") }
    pond.pebble("", .timeout(.seconds(-1))) {}
    pond.pebble("torn", .executor(QueueExecutor()), .blocking) {}

    let faults = await faults(within: .zero)

    #expect(faults.count == 6)
    #expect(faults.map(\.description).allSatisfy { !$0.contains("\n") })
  }

  @Test(arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max)])
  func theLongestTimesAreNoFault(time: Duration) async throws {
    let cores = pond.pebble(
      "cores", .timeout(time),
      .retry(.backoff(attempts: .max, initial: time, factor: 1e308, maximum: time))
    ) { 83 }

    for clock: any Clock<Duration> in [ContinuousClock(), SuspendingClock(), AlarmClock()] {
      let run = try pond.start(clock: clock, within: time)
      try await run.shutdown(within: time)
      let report = try await run.report

      #expect(report[cores] == 83 || report.isCancelled)
    }
  }

  private func faults(within limit: Duration? = nil) async -> [PondError.Fault] {
    do {
      _ = try await pond.run(within: limit)
      return []
    } catch {
      return error.faults
    }
  }
}
