import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of simulations, which run the logic of a pond without its bodies.
@Suite(.watched) struct SimulateTests {
  /// A pond whose bodies and teardowns must not be called.
  private struct Boot {
    let pond = Pond(
      "boot",
      around: { _, body in
        Issue.record("what is around a body was called")
        try await body()
      })
    let ping: Pebble<Void>
    let cores: Pebble<[Int]>
    let launches: Pebble<String>
    let refresh: Pebble<Void>
    let showOffline: Pebble<Void>

    init() {
      ping = pond.pebble("ping") { _ in Issue.record("a body was called") }
      cores = pond.pebble("cores", teardown: { _ in Issue.record("a teardown was called") }) {
        Issue.record("a body was called")
        return [1]
      }
      launches = pond.pebble(
        "launches",
        .enabled {
          Issue.record("an activation was asked")
          return true
        }
      ) {
        Issue.record("a body was called")
        return ""
      }
      refresh = pond.pebble("refresh", needs: cores.result, launches.result) { _, _ in
        Issue.record("a body was called")
      }
      showOffline = pond.pebble("showOffline", when: ping.failed && cores.failed) {
        Issue.record("a body was called")
      }
    }
  }

  @Test func allSucceedAtOnceUnlessToldOtherwise() async throws {
    let boot = Boot()

    let report = try await boot.pond.simulate()

    #expect(report.makespan == .zero)
    #expect(report.succeeded(boot.refresh))
    #expect(report.skipped(boot.showOffline))
    #expect(report[boot.cores] == nil)
    #expect(report[boot.refresh] != nil)
  }

  @Test func handlesOfAnyOutputAndNamesMayBeMixed() async throws {
    let boot = Boot()

    let report = try await boot.pond.simulate(
      failing: [boot.ping, boot.cores],
      taking: [boot.cores: .seconds(2), .named("launches"): .seconds(3)])

    #expect(report.succeeded(boot.showOffline))
    #expect(report.record(of: boot.showOffline)?.started == .seconds(2))
    #expect(report.record(of: boot.refresh)?.started == .seconds(3))
    #expect(report.makespan == .seconds(3))
    #expect(report.outcome(of: boot.ping).error is SimulatedFailure)
  }

  @Test func disabledPebblesTakeNoPart() async throws {
    let boot = Boot()

    let report = try await boot.pond.simulate(disabling: [boot.launches, boot.ping])

    #expect(report.outcome(of: boot.launches).skipReason == .disabled)
    #expect(report.outcome(of: boot.ping).skipReason == .disabled)
    #expect(report.skipped(boot.refresh))
  }

  @Test func whatCannotBeMeantIsSaidAllAtOnce() async throws {
    let boot = Boot()
    let other = Pond("other").pebble("else") {}

    let error = await #expect(throws: SimulationError.self) {
      try await boot.pond.simulate(
        failing: [other, .named("pong")], flaky: [boot.ping: -1],
        taking: [boot.cores: .seconds(-2)],
        disabling: [.named("")])
    }

    #expect(
      "\(try #require(error))" == """
        the pond "boot" cannot be simulated in this way:
          - "else" is a pebble of the pond "other", not of this one
          - no pebble is named "pong"
          - "ping" fails -1 times; it must be 0 or more
          - "cores" takes -2.0 seconds; it must be zero or longer
          - no pebble is named ""
        """)
  }

  @Test func aPondDefinedWronglyIsAnError() async {
    let pond = Pond("boot")
    pond.pebble("") {}

    await #expect(throws: PondError.self) { try await pond.simulate() }
  }

  @Test func timesBeyondAllMeasureDoNotOverflow() async throws {
    let pond = Pond("boot")
    let long = Duration(secondsComponent: .max, attosecondsComponent: 0)
    var last = pond.pebble("0") {}
    for number in 1..<300 { last = pond.pebble("\(number)", when: last.succeeded) {} }

    var report = try await pond.simulate(taking: [
      .named("0"): .seconds(1e18 as Double), .named("1"): long,
    ])
    #expect(report.succeeded(last))

    let same = KeyValuePairs<any PebbleIdentifying, Duration>(
      dictionaryLiteral: (.named("5"), long), (.named("6"), long), (.named("7"), long),
      (.named("8"), long), (.named("9"), long))
    report = try await pond.simulate(taking: same)
    #expect(report.succeeded(last))
  }

  @Test func retriesAreMadeAndFlakyPebblesSucceedInTheEnd() async throws {
    let pond = Pond("boot")
    let policy = RetryPolicy.backoff(attempts: 4, initial: .seconds(1), jitter: .none)
    let flaky = pond.pebble("flaky", .retry(policy)) {}
    let broken = pond.pebble("broken", .retry(policy)) {}

    let report = try await pond.simulate(
      failing: [broken], flaky: [flaky: 2], taking: [flaky: .seconds(10)])

    #expect(report.succeeded(flaky))
    #expect(report.record(of: flaky)?.attempts.count == 3)
    #expect(report.record(of: flaky)?.finished == .seconds(33))
    #expect(report.record(of: broken)?.attempts.count == 4)
    #expect(report.record(of: broken)?.finished == .seconds(7))
  }

  @Test func endlessRetriesAreAnError() async throws {
    let pond = Pond("boot")
    pond.pebble("ping", .retry(.attempts(.max))) {}

    let error = await #expect(throws: SimulationError.self) {
      try await pond.simulate(failing: [.named("ping")])
    }

    #expect("\(try #require(error))".contains("\"ping\" has failed 10000 times"))
  }

  @Test func timeoutsStrikeOnVirtualTime() async throws {
    let pond = Pond("boot")
    let slow = pond.pebble("slow", .timeout(.seconds(5))) {}
    let quick = pond.pebble("quick", .timeout(.seconds(5))) {}

    let report = try await pond.simulate(taking: [slow: .seconds(6), quick: .seconds(4)])

    #expect(report.outcome(of: slow).error is PebbleTimeout)
    #expect(report.record(of: slow)?.finished == .seconds(5))
    #expect(report.succeeded(quick))
  }

  @Test func limitsArePutUpWith() async throws {
    let pond = Pond("boot", maxConcurrent: 2)
    for number in 0..<5 { pond.pebble("\(number)") {} }

    let report = try await pond.simulate(
      taking: [
        .named("0"): .seconds(1), .named("1"): .seconds(1), .named("2"): .seconds(1),
        .named("3"): .seconds(1),
      ])

    #expect(report.records.map { $0.started } == [0, 0, 1, 1, 2].map { .seconds($0) })
  }

  @Test func servicesAreReadyGoOnAndAreShutDown() async throws {
    let pond = Pond("boot")
    let database = pond.service("database") { _ in Issue.record("a body was called") }
    let migrate = pond.pebble("migrate", when: database.succeeded) {}
    let broken = pond.service("broken") { _ in Issue.record("a body was called") }

    let report = try await pond.simulate(failing: [broken], taking: [database: .seconds(2)])

    #expect(report.record(of: database)?.finished == .seconds(2))
    #expect(report.record(of: migrate)?.started == .seconds(2))
    #expect(report.failed(broken))
    #expect(report.shutdown?.failures.isEmpty == true)
    #expect(!report.isCancelled)
  }

  @Test func aFailurePolicyCancels() async throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let ping = pond.pebble("ping") {}
    let slow = pond.pebble("slow") {}

    let report = try await pond.simulate(
      failing: [ping], taking: [ping: .seconds(1), slow: .seconds(5)])

    #expect(report.isCancelled)
    #expect(report.makespan == .seconds(1))
    #expect(report.failed(slow))
  }

  @Test func aDeadlineCancels() async throws {
    let pond = Pond("boot")
    let slow = pond.pebble("slow") {}

    let report = try await pond.simulate(taking: [slow: .seconds(5)], within: .seconds(3))

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.makespan == .seconds(3))
  }

  @Test func aStallIsSettled() async throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    first.ready = second.succeeded

    let report = try await pond.simulate()

    #expect(report.skipped(first) && report.skipped(second))
  }

  @Test func sameSimulationSameReport() async throws {
    let pond = Pond("boot", maxConcurrent: 3)
    for number in 0..<50 { pond.pebble("\(number)") {} }

    let first = try await pond.simulate(taking: [
      .named("3"): .seconds(3), .named("7"): .seconds(1),
    ])
    let second = try await pond.simulate(taking: [
      .named("3"): .seconds(3), .named("7"): .seconds(1),
    ])

    #expect("\(first)" == "\(second)")
  }

  @Test func manyPebblesAreNoTrouble() async throws {
    let pond = Pond("boot")
    var last = pond.pebble("first") {}
    for number in 0..<20_000 { last = pond.pebble("\(number)", when: last.succeeded) {} }

    let report = try await pond.simulate(failing: [.named("19998")])

    #expect(report.skipped(last))
  }
}
