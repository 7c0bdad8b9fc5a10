import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the observers of a run, and of the time during which they receive events.
@Suite(.watched) struct RunObserverTests {
  private let pond = Pond("observed")

  @Test func allObserversAreToldTheSame() async throws {
    let gate = Gate()
    for number in 0..<50 {
      pond.pebble("\(number)", number % 3 == 0 ? .retry(.attempts(2)) : .traits()) {
        await gate.passed()
        if number % 2 == 0 { throw Breakdown() }
      }
    }
    let run = try pond.start(eventHistory: 1_000)
    let early = run.events

    async let first = early.sentences()
    async let second = run.events(bufferingNewest: 1).sentences()
    gate.open()
    let all = await [first, second, run.events.sentences(), early.sentences()]

    // 50 are ready, start and settle; 25 fail, 9 of them twice; and the end.
    #expect(all.first?.count == 194)
    for others in all.dropFirst() { #expect(others == all[0]) }
  }

  @Test func anObserverWithoutHistoryIsToldWhatHappensFromThenOn() async throws {
    let gate = Gate()
    let first = pond.pebble("first") { await gate.passed() }
    pond.pebble("second", when: first.succeeded) {}
    let run = try pond.start()
    try await until { !run.status.running.isEmpty }

    let events = run.events
    gate.open()

    #expect(
      await events.sentences() == [
        "first succeeded", "second is ready", "second started attempt 1",
        "second succeeded, having started when first settled", "the run ended",
      ])
  }

  @Test func whoComesAfterTheEndWithoutHistoryIsToldNothing() async throws {
    pond.pebble("only") {}
    let run = try pond.start()
    _ = try await run.report

    #expect(await run.events.sentences() == [])
  }

  @Test func aShortHistorySaysHowMuchIsMissing() async throws {
    for number in 0..<10 { pond.pebble("\(number)") {} }
    let run = try pond.start(eventHistory: 3)
    _ = try await run.report

    let events = await run.events(bufferingNewest: 3).sentences()

    #expect(events.count == 4)
    #expect(events.first == "28 events were dropped here")
    #expect(events.last == "the run ended")
  }

  @Test func whoStopsListeningDisturbsNobody() async throws {
    let gate = Gate()
    let first = pond.pebble("first") { await gate.passed() }
    pond.pebble("second", when: first.succeeded) { throw Breakdown() }
    let run = try pond.start(eventHistory: 100)
    for await _ in run.events { break }

    gate.open()

    #expect(await run.events.sentences().count == 8)
  }

  @Test func nobodyListensUnlessSomebodyDoes() async throws {
    let listening = Logbook<Bool>()
    let isKnown = Gate()
    let first = pond.pebble("first") {
      await isKnown.passed()
      listening.note(ContextSlot.current?.core?.events.hasObservers == true)
    }
    pond.pebble("second", .retry(.attempts(2)), when: first.succeeded) {
      listening.note(ContextSlot.current?.core?.events.hasObservers == true)
    }

    let silent = try pond.start()
    isKnown.open()
    _ = try await silent.report
    _ = try await pond.start(eventHistory: 1).report

    #expect(listening.entries == [false, false, true, true])
  }

  @Test func theEventsOfAnEmptyPondAreItsEnd() async throws {
    let events = try pond.start(eventHistory: 10).events

    #expect(await events.sentences() == ["the run ended"])
  }

  @Test func aServiceIsToldOfUntilItEnds() async throws {
    let end = Gate()
    pond.service("http", .ending(.ignore)) { ready in
      ready()
      await end.passed()
      throw Breakdown("the port is gone")
    }

    let run = try pond.start(eventHistory: 100)
    _ = try await run.report
    async let events = run.events.sentences()
    end.open()

    #expect(
      await events == [
        "http is ready", "http started attempt 1", "http succeeded", "the run ended",
        "http ended after it was up: the port is gone",
      ])
  }

  @Test func whatEndsInAShutdownIsToldAsWell() async throws {
    pond.service("http") { ready in
      ready()
      try? await untilCancelled()
    }
    let run = try pond.start(eventHistory: 100)
    _ = try await run.report

    try await run.shutdown()

    #expect(
      await run.events.sentences().suffix(5) == [
        "the run ended", "the shutdown began: it was shut down", "http is asked to stop",
        "http ended after it was up", "the shutdown ended",
      ])
  }

  /// Tests a service that observes its run. The events end when the service is asked to stop for a
  /// restart; its next call observes the run again, until the shutdown.
  @Test func aServiceThatIsRestartedWithAnotherListensAgain() async throws {
    let crew = ServiceCrew()
    let told = Logbook<String>()
    let isUpAgain = Gate()
    let again = PebbleTrait.ending(.restart(.attempts(9)))
    let database: Pebble<Int> = pond.service("database", again) { ready in
      try await crew.run("database", ready)
    }
    pond.service(
      "http", .restartsWith(database), .stopWithin(.seconds(600)), needs: database
    ) { ready, call in
      let events = PebbleContext.current?.run?.events
      ready()
      guard let events else { return }
      if call == 2 { isUpAgain.open() }
      for await event in events { told.note("\(call): \(event.kind)") }
    }
    let run = try pond.start(clock: AlarmClock())
    _ = try await run.report
    crew.crash("database")
    await isUpAgain.passed()

    try await run.shutdown().check()

    #expect(
      told.entries.filter { $0.hasPrefix("2") } == ["2: shutdownBegan", "2: stopRequested"])
  }

  /// Tests a service that observes a run inside it. That run continues until the service has ended,
  /// so the events must end earlier.
  @Test func aServiceThatListensToARunInsideOfItEndsWhenItIsAskedToStop() async throws {
    let inner = Pond("inner")
    inner.service("feed") { ready in
      ready()
      await ready.stopRequested()
    }
    pond.service("http", .stopWithin(.seconds(600))) { ready in
      let run = try inner.start()
      _ = try await run.report
      ready()
      for await _ in run.events {}
    }
    let run = try pond.start(clock: AlarmClock())
    _ = try await run.report

    try await run.shutdown().check()
  }

  /// Tests a service that waits for a run inside it, in which a body observes that run. The service
  /// can end only if the events end when it is asked to stop.
  @Test func whatListensInARunInsideOfAServiceEndsWhenThatIsAskedToStop() async throws {
    let inner = Pond("inner")
    inner.pebble("watch") {
      guard let events = PebbleContext.current?.run?.events else { return }
      for await _ in events {}
    }
    pond.service("http", .stopWithin(.seconds(600))) { ready in
      ready()
      _ = try await inner.run()
    }
    let run = try pond.start(clock: AlarmClock())
    _ = try await run.report

    try await run.shutdown().check()
  }

  /// Tests a service of a detached run that observes its own run. The events continue after the run
  /// around it is shut down, because that run does not wait for a detached one.
  @Test func whatListensToAnIndependentRunThatItIsInListensOn() async throws {
    let (inner, handover) = (Pond("inner"), Promise<Run>())
    let (isListening, told) = (Gate(), Gate())
    inner.service("feed") { ready in
      guard let events = PebbleContext.current?.run?.events else { return }
      isListening.open()
      ready()
      for await event in events where event.kind == .shutdownBegan { told.open() }
    }
    pond.service("http") { ready in
      handover.fulfill(try inner.start(detached: true))
      await isListening.passed()
      ready()
      await ready.stopRequested()
    }
    let run = try pond.start()
    _ = try await run.report
    try await run.shutdown().check()

    _ = try await handover.value().shutdown()

    #expect(told.isOpen)
  }

  @Test(arguments: [PebbleTrait.traits(), .retry(.attempts(3))])
  func aServiceThatDoesNotComeUpKeepsNobodyListening(retry: PebbleTrait) async throws {
    pond.service("http", retry) { _ in throw Breakdown() }

    let run = try pond.start(eventHistory: 100)

    #expect(
      await run.events.sentences().suffix(2) == ["http failed: it broke down", "the run ended"])
  }

  @Test(arguments: [true, false])
  func theEndSaysWhetherTheRunHasFailed(isHandled: Bool) async throws {
    let ping = pond.pebble("ping") { throw Breakdown() }
    if isHandled { pond.pebble("offline", when: ping.failed) {} }

    let run = try pond.start(eventHistory: 100)
    var ends: [Bool] = []
    for await event in run.events where event.kind == .runEnded { ends.append(event.hasFailed) }

    #expect(ends == [!isHandled])
    #expect(run.status.phase == (isHandled ? .over : .failed))
  }

  @Test func aServiceThatTimesOutKeepsNobodyListening() async throws {
    let clock = AlarmClock()
    let end = Gate()
    pond.service("http", .timeout(.seconds(1))) { _ in await end.passed() }

    let run = try pond.start(clock: clock, eventHistory: 100)
    await clock.asleep(1)
    clock.advance(by: .seconds(1))

    #expect(await run.events.sentences().last == "the run ended")
    end.open()
  }

  @Test func severalServicesMayEndAtTheSameTime() async throws {
    for _ in 0..<300 {
      let pond = Pond("services")
      let everybody = Meeting(of: 4)
      for number in 0..<4 {
        pond.service("\(number)", .ending(.ignore)) { ready in
          ready()
          await everybody.attend()
        }
      }

      let events = await (try pond.start(eventHistory: 100)).events.sentences()

      #expect(events.count { $0.hasSuffix("ended after it was up") } == 4)
    }
  }
}
