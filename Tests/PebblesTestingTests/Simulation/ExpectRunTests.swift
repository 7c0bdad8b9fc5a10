import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of the expectation that exactly the given pebbles run.
@Suite(.watched) struct ExpectRunTests {
  private let pond = Pond("boot")
  private let ping: Pebble<Bool>
  private let cores: Pebble<[Int]>
  private let refresh: Pebble<Void>
  private let offline: Pebble<Void>

  init() {
    ping = pond.pebble("ping") { true }
    cores = pond.pebble("cores") { [] }
    refresh = pond.pebble("refresh", when: ping.succeeded && cores.completed) {}
    offline = pond.pebble("offline", when: ping.failed) {}
  }

  @Test func itIsOneLine() async throws {
    try await pond.expectRun(succeeding: [ping, cores, refresh])
    try await pond.expectRun(succeeding: [cores, offline], failing: [ping])
    try await pond.expectRun(succeeding: [.named("ping"), refresh], failing: [.named("cores")])
    try await pond.expectRun(succeeding: [cores], disabling: [ping])
  }

  @Test func whatAppearsAndShouldNotIsNamedWithTheReasonAndTheOtherWayRound() async throws {
    let failure = await #expect(throws: ExpectationFailure.self) {
      try await pond.expectRun(
        succeeding: [refresh, cores], failing: [ping], fileID: "Boot/Tests.swift", line: 7)
    }

    #expect(
      "\(try #require(failure))" == """
        the pond "boot" did not run as expected:
          refresh should have succeeded, but was skipped
            refresh was blocked
            └─ needs ping to succeed, but it failed: it fails in this simulation
          offline should not have run, but succeeded
            offline succeeded
            └─ because ping failed: it fails in this simulation
          expected at Boot/Tests.swift:7
        """)
  }

  @Test func whatFailsAndDoesNotRunIsNamed() async throws {
    let failure = await #expect(throws: ExpectationFailure.self) {
      try await pond.expectRun(succeeding: [ping, cores, refresh], failing: [offline])
    }

    #expect(
      "\(try #require(failure))".contains("offline should have run and failed, but was skipped"))
  }

  @Test func aPebbleCannotBeExpectedToDoBoth() async throws {
    let failure = await #expect(throws: ExpectationFailure.self) {
      try await pond.expectRun(succeeding: [ping, cores, offline], failing: [ping])
    }

    #expect("\(try #require(failure))".contains("ping is expected both to succeed and to fail"))
  }

  @Test func unknownPebblesAreNamed() async throws {
    let failure = await #expect(throws: ExpectationFailure.self) {
      try await pond.expectRun(succeeding: [ping, cores, refresh, .named("pong")])
    }
    await #expect(throws: SimulationError.self) {
      try await pond.expectRun(succeeding: [ping, cores, refresh], failing: [.named("pong")])
    }

    #expect("\(try #require(failure))".contains("no pebble is named \"pong\""))
  }
  @Test func whatRunsAreGivenIsNotExpectedToRun() async throws {
    let user = pond.given("user", String.self)
    let page = pond.pebble("page", needs: user) { _ in }

    try await pond.expectRun(succeeding: [ping, cores, refresh, page])
    try await pond.expectRun(succeeding: [ping, cores, refresh, page, user])
    let failure = await #expect(throws: ExpectationFailure.self) {
      try await pond.expectRun(succeeding: [ping, user], only: [ping])
    }

    #expect("\(try #require(failure))".contains("user should have succeeded, but was skipped"))
  }
}
