import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import PebblesTesting
import Synchronization
import Testing

/// Tests of exploring ponds with their bodies.
@Suite(.watched) struct ExplorePondTests {
  @Test func bodiesRunInEveryOrder() async throws {
    let orders = Logbook<[String]>()

    let exploration = try await explore(
      { _ in
        let order = Logbook<String>()
        let pond = Pond("boot")
        let pebbles = ["a", "b", "c"].map { name in
          pond.pebble(name) {
            await Task.yield()
            order.note(name)
          }
        }
        pond.pebble("end", when: .all(pebbles.map(\.succeeded))) { orders.note(order.entries) }
        return pond
      }, schedules: .exhaustive())

    #expect(exploration.isComplete)
    #expect(exploration.isDeterministic)
    #expect(Set(orders.entries).count == 6)
  }

  @Test func aBrokenInvariantIsReportedWithWhatRan() async throws {
    let pond = Pond("boot")
    for name in ["migrate", "ping"] { pond.pebble(name) { await Task.yield() } }

    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(pond, schedules: .exhaustive()) { status in status.running.count < 2 }
    }

    let text = "\(try #require(failure))"
    #expect(
      text.hasPrefix(
        "the invariant does not hold with migrate and ping running and 0 of 2 pebbles settled, "
          + "under schedule 0 of .exhaustive(limit: 10000)"))
    #expect(text.contains(".replay(\"\(try #require(failure).schedule)\")"))
    #expect(failure?.problem.kind == .invariantBroken)
    #expect(failure?.problem.status?.running.map(\.name) == ["migrate", "ping"])
  }

  @Test func anInvariantThatHoldsIsAskedAfterEachStep() async throws {
    let count = Logbook<Int>()
    let pond = Pond("boot", maxConcurrent: 1)
    for number in 0..<3 { pond.pebble("\(number)") { await Task.yield() } }

    let exploration = try await explore(pond, schedules: .random(count: 10)) { status in
      count.note(status.running.count)
      return status.running.count <= 1
    }

    #expect(exploration.schedules == 10)
    #expect(count.entries.count > 50)
  }

  @Test func aBodyThatNeverEndsIsNamed() async throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") { try await untilCancelled() }
    pond.pebble("after", when: ping.succeeded) {}

    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(pond, schedules: .random(), patience: .milliseconds(10))
    }

    #expect(
      "\(try #require(failure))".hasPrefix(
        "it would never end: nothing can go on and no task sleeps, with ping running"))
    #expect(failure?.problem.running == ["ping"])
  }

  @Test func aPondDefinedWronglyIsAnError() async {
    let pond = Pond("boot")
    for _ in 0..<2 { pond.pebble("a") {} }

    await #expect(throws: PondError.self) { try await explore(pond, schedules: .random()) }
  }

  @Test func timeoutsAndRetriesAreOnTheVirtualClock() async throws {
    let clock = TestClock()
    let makespans = Logbook<Duration>()
    let pond = Pond("boot")
    let slow = pond.pebble("slow", .timeout(.seconds(5)), .retry(.attempts(3))) {
      try await clock.sleep(for: .seconds(60))
    }
    let offline = pond.pebble("offline", when: slow.failed) { makespans.note(clock.now.offset) }
    pond.pebble("after", when: offline.succeeded) {}

    let exploration = try await explore(pond, schedules: .random(count: 20), clock: clock)

    #expect(exploration.isDeterministic)
    #expect(makespans.entries == Array(repeating: .seconds(15), count: 20))
  }

  @Test func bodiesStayWhereverTheyWouldHaveRun() async throws {
    let pond = Pond("boot")
    pond.pebble("executor", .executor(globalConcurrentExecutor)) { await Task.yield() }
    pond.pebble("blocking", .blocking) { await Task.yield() }
    pond.service("service", .executor(globalConcurrentExecutor), .ending(.ignore)) { ready in
      await Task.yield()
      ready()
      try? await untilCancelled()
    }

    let exploration = try await explore(pond, schedules: .random(count: 20))

    #expect(exploration.isDeterministic)
  }

  @Test func servicesAreStoppedAndTeardownsCalledInEachSchedule() async throws {
    let events = Logbook<String>()
    let pond = Pond("boot")
    let database = pond.pebble("database", teardown: { events.note("close") }) {
      await Task.yield()
    }
    pond.service("server", when: database.succeeded) { ready in
      ready()
      try? await untilCancelled()
      events.note("stop")
    }

    try await explore(pond, schedules: .random(count: 3))

    #expect(events.entries == ["stop", "close", "stop", "close", "stop", "close"])
  }

  @Test func runsInsideOfBodiesStay() async throws {
    let inner = Pond("inner")
    for number in 0..<2 { inner.pebble("\(number)") { await Task.yield() } }
    let outer = Pond("outer")
    outer.pebble("run") { _ = try await inner.run() }
    outer.pebble("refresh") { _ = try await inner.refresh() }

    let exploration = try await explore(outer, schedules: .random(count: 20))

    #expect(exploration.isDeterministic)
  }

  @Test func runsInsideOfBodiesAreShutDownInEachSchedule() async throws {
    let events = Logbook<String>()
    let inner = Pond("inner")
    inner.pebble("file", teardown: { events.note("close") }) { events.note("open") }
    let outer = Pond("outer")
    outer.pebble("run") { _ = try await inner.run() }

    try await explore(outer, schedules: .random(count: 2))

    #expect(events.entries == ["open", "close", "open", "close"])
  }

  @Test func aRunThatIsCancelledEndsInEverySchedule() async throws {
    let exploration = try await explore(schedules: .random(count: 100, seed: 4)) { clock in
      let pond = Pond("boot", maxConcurrent: 2)
      for number in 0..<5 {
        pond.pebble("\(number)", .timeout(.seconds(3))) { try await clock.sleep(for: .seconds(1)) }
      }
      let run = try pond.start(clock: clock)
      for _ in 0..<3 { await Task.yield() }
      run.cancel()
      let report = try await run.report
      #expect(report.isCancelled)
      #expect(report.records.allSatisfy { !$0.outcome.isSucceeded })
    }

    #expect(exploration.isDeterministic)
  }

  @Test func aDeadlineIsKeptInEverySchedule() async throws {
    let clock = TestClock()
    let pond = Pond("boot")
    let slow = pond.pebble("slow") { try await clock.sleep(for: .seconds(10)) }
    pond.pebble("after", when: slow.completed) {}

    try await explore(pond, schedules: .random(count: 20), clock: clock, within: .seconds(1))
  }
}
