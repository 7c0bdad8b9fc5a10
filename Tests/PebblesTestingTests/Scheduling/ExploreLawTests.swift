import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of laws that are checked for every schedule of a pond.
@Suite(.watched) struct ExploreLawTests {
  @Test func lawsAreAskedOfEveryRun() async throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") { throw Breakdown() }
    let home = pond.pebble("home", when: ping.succeeded) {}
    let offline = pond.pebble("offline", when: ping.failed) {}
    let screens = Law.exactlyOne(of: home.succeeded, offline.succeeded)

    try await explore(pond, schedules: .exhaustive(), laws: [screens, .never(home.completed)])
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(
        pond, schedules: .exhaustive(),
        laws: [screens, .implies(ping.failed, home.completed).labeled("home at last")])
    }

    #expect(
      "\(try #require(failure))".hasPrefix(
        "the law is broken: home at last, under schedule 0 of .exhaustive(limit: 10000)"))
  }

  @Test func aLawAboutAnotherPondIsAnError() async throws {
    let pond = Pond("boot")
    pond.pebble("ping") {}
    let other = Pond("other").pebble("ping") {}

    await #expect(throws: UnknownPebbleError.self) {
      try await explore(pond, schedules: .exhaustive(), laws: [.always(other.succeeded)])
    }
  }

  @Test func lawsAreAskedOfAPondThatIsMadeAnew() async throws {
    struct Boot {
      let pond = Pond("boot")
      let ping: Pebble<Void>
      let home: Pebble<Void>

      init() {
        ping = pond.pebble("ping") { await Task.yield() }
        home = pond.pebble("home", when: ping.succeeded) {}
      }
    }
    func explore(_ law: @escaping @Sendable (Boot) -> Law) async throws -> Exploration {
      try await PebblesTesting.explore(
        { _ in Boot() }, pond: \.pond, schedules: .random(count: 10), laws: { [law($0)] })
    }

    let exploration = try await explore { .implies($0.ping.succeeded, $0.home.succeeded) }
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore { .never($0.home.succeeded) }
    }

    #expect(exploration.schedules == 10)
    #expect(
      "\(try #require(failure))".hasPrefix("the law is broken: never home.succeeded, under"))
    #expect(failure?.report != nil)
  }

  /// Checks that for a run that never ends, a law is reported as broken only if the pebbles that
  /// have settled decide it.
  @Test func lawsAreAskedOfWhatHasSettled() async throws {
    let pond = Pond("boot")
    let cache = pond.pebble("cache") {}
    let ping = pond.pebble("ping") { try await untilCancelled() }
    let home = pond.pebble("home", when: ping.succeeded) {}
    let broken: [Law] = [
      .never(cache.succeeded), .always(cache.failed && ping.succeeded), .always(.never),
      .never(home.failed || cache.completed), .implies(cache.succeeded, cache.failed),
      .always(!cache.succeeded.labeled("cached")), .exactlyOne(of: cache.skipped, cache.failed),
    ]
    let undecided: [Law] = [
      .always(ping.succeeded), .never(home.skipped), .always(cache.succeeded && ping.succeeded),
      .always(cache.failed || !ping.settled), .exactlyOne(of: home.succeeded, ping.failed),
    ]

    for law in broken + undecided {
      let failure = try await #require(throws: ScheduleFailure.self) {
        try await explore(
          pond, schedules: .replay(""), laws: undecided + [law], patience: .milliseconds(1))
      }
      let isBroken = broken.contains { $0.label == law.label }
      #expect(
        "\(failure)".hasPrefix(
          isBroken
            ? "the law was already broken when the run was abandoned: \(law.label)"
            : "it would never end"))
    }
  }

  @Test func lawsAreAskedOfARunWithTooManySteps() async throws {
    let clock = TestClock()
    let pond = Pond("boot")
    let cache = pond.pebble("cache") {}
    pond.pebble("poll") { while true { try await clock.sleep(for: .seconds(1)) } }

    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(
        pond, schedules: .random(count: 3), clock: clock, laws: [.never(cache.succeeded)],
        stepLimit: 100)
    }

    #expect("\(try #require(failure))".hasPrefix("the law was already broken"))
  }

  @Test func aLawAboutAnotherPondIsAnErrorAlsoWithoutAnEnd() async throws {
    let pond = Pond("boot")
    pond.pebble("ping") { try await untilCancelled() }
    let other = Pond("other").pebble("ping") {}

    await #expect(throws: UnknownPebbleError.self) {
      try await explore(
        pond, schedules: .exhaustive(), laws: [.always(other.succeeded)],
        patience: .milliseconds(1))
    }
  }
}
