import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests that outputs that cannot be kept are produced again if they are still needed.
@Suite(.watched) struct JournalOutputTests {
  @Test func whatIsNeededIsMadeAgainOnceForAllWhoNeedIt() async throws {
    let left = try await Self.deathOf(Lossy(hangs: true))
    let lossy = Lossy()

    let run = try await lossy.pond.start(journal: Journal(at: left.path))
    let report = try await run.report
    _ = try await run.shutdown()

    #expect(lossy.calls.entries.filter { $0 == "handle" }.count == 1)
    #expect(report[lossy.left] == 1 && report[lossy.right] == 2)
    #expect(report.outcome(of: lossy.handle).isSucceeded)
    #expect(lossy.closed.count == 1)
  }

  /// Checks that a body that has produced its output again is not counted as a crash, even if its
  /// process dies afterward.
  @Test func makingAnOutputAgainIsToldOnceItIsThere() async throws {
    let left = try await Self.deathOf(Lossy(hangs: true))
    let lossy = Lossy(hangs: true)
    let run = try await lossy.pond.start(journal: Journal(at: left.path))
    try await until { lossy.calls.count == 3 }
    let next = try await run.dies(with: left)

    var known = JournalProgress(of: lossy.pond.program().pond, nil)
    for (entry, payload) in try next.text.entries { try known.add(entry, payload) }
    #expect(known.progress.unfinished.mapValues(\.crashes) == [1: 2, 2: 2])
  }

  /// Checks a service that goes down in a run inside a body that was called again for its output.
  /// The number of earlier calls does not matter.
  @Test func aServiceThatGoesDownInsideOfWhatIsMadeAgainIsAFailure() async throws {
    let (file, calls, gate) = (try JournalFile(), Logbook<String>(), Gate())
    let (inner, inside) = (Pond("inner"), Logbook<Run>())
    inner.service("server") { ready in
      ready()
      await gate.passedUnlessCancelled()
      throw Breakdown()
    }
    let pond = Pond("outer")
    let handle = pond.pebble("handle", .retry(.attempts(2))) {
      let run = try inner.start()
      inside.note(run)
      _ = try await run.report
      return NightlyPond.Handle()
    }
    pond.pebble("work", needs: handle) { _ in
      calls.note("work")
      if calls.count == 1 { try await untilCancelled() }
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until { calls.count == 1 }
    let left = try await run.dies(with: file)

    let next = try await pond.start(journal: Journal(at: left.path))
    let report = try await next.report
    gate.open()
    _ = try await inside.entries[1].reportAfterShutdown()

    #expect(report.record(of: handle)?.servicesDownInside.count == 1)
    #expect(report.exitCode == 1)
    _ = try await next.shutdown()
  }

  @Test func aBodyThatIsCalledAgainForAServiceIsCancelledByAShutdown() async throws {
    let (file, pond, calls) = (try JournalFile(), Pond("served"), Logbook<String>())
    let handle = pond.pebble("handle") {
      calls.note("handle")
      if calls.count > 1 { try await untilCancelled() }
      return NightlyPond.Handle()
    }
    let server = pond.service("server", needs: handle) { ready, _ in
      calls.note("server")
      ready()
      await ready.stopRequested()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    let left = try await run.dies(with: file)
    let next = try await pond.start(journal: Journal(at: left.path))
    try await until { calls.count == 3 }

    _ = try await next.shutdown()
    let report = try await next.report

    #expect(report.isCancelled)
    #expect(report.record(of: server)?.isServiceDown == false)
    #expect(calls.entries == ["handle", "server", "handle"])
  }

  /// Checks a body that is called again for a service and ignores its cancellation. A shutdown
  /// limits its time, as for any other body.
  @Test func aBodyThatIsCalledAgainForAServiceIsGivenUpByAShutdown() async throws {
    let (clock, gate) = (AlarmClock(), Gate())
    let (pond, calls, left) = try await Self.deathOfService { await gate.passed() }
    let next = try await pond.start(journal: Journal(at: left.path), clock: clock)
    try await until { calls.count == 4 }

    let shutdown = Task { try await next.shutdown(within: .seconds(2)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    let failures = try await shutdown.value.failures

    #expect(failures.map(\.pebble) == ["handle"])
    #expect((failures.first?.error as? PebbleTimeout)?.isLimitOfShutdown == true)
    #expect(failures.first?.isStillRunning == true)
    gate.open()
    try await until { failures.first?.isStillRunning == false }
    #expect(calls.entries == ["handle", "server", "close", "handle", "close"])
  }

  @Test func whatIsMadeAgainDuringAShutdownIsTornDown() async throws {
    let (pond, calls, left) = try await Self.deathOfService { try? await untilCancelled() }
    let next = try await pond.start(journal: Journal(at: left.path))
    try await until { calls.count == 4 }

    let shutdown = try await next.shutdown()

    #expect(shutdown.records.map(\.pebble).sorted() == ["handle", "server"])
    #expect(calls.entries == ["handle", "server", "close", "handle", "close"])
  }

  @Test func itsFailureIsThatOfAllWhoNeedIt() async throws {
    let left = try await Self.deathOf(Lossy(hangs: true))
    let lossy = Lossy(fails: true)

    let run = try await lossy.pond.start(journal: Journal(at: left.path))
    let report = try await run.report
    _ = try await run.shutdown()

    #expect(report.outcome(of: lossy.left).error as? Breakdown == Breakdown("handle"))
    #expect(report.outcome(of: lossy.right).error as? Breakdown == Breakdown("handle"))
    #expect(report.outcome(of: lossy.handle).isSucceeded)
    #expect(lossy.calls.entries == ["handle"])
    #expect(lossy.closed.entries == [])
    #expect(report.exitCode != 0)
  }

  @Test func whatIsNotNeededAnyMoreIsNotMadeAgain() async throws {
    let file = try JournalFile()
    let run = try await Lossy().pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    let left = try await run.dies(with: file)
    let lossy = Lossy()

    let next = try await lossy.pond.start(journal: Journal(at: left.path))
    let report = try await next.report
    _ = try await next.shutdown()

    #expect(report[lossy.left] == 1 && report[lossy.right] == 2)
    #expect(report[lossy.handle] == nil)
    #expect(lossy.calls.entries == [])
    #expect(lossy.closed.entries == [])
    #expect(try left.text.isOver)
  }

  @Test func anOutputThatIsTooLargeIsNotKept() async throws {
    let file = try JournalFile()
    let calls = Logbook<String>()
    let pond = Pond("large")
    let small = pond.pebble("small") {
      calls.note("small")
      return "12345678"
    }
    let large = pond.pebble("large") {
      calls.note("large")
      return "123456789"
    }
    let reader = pond.pebble("reader", needs: small, large) { small, large in
      calls.note("reader")
      if calls.count == 3 { try await untilCancelled() }
      return small + large
    }
    let run = try await pond.start(journal: Journal(at: file.path, largestOutput: 10))
    try await until { calls.count == 3 }
    let left = try await run.dies(with: file)

    let report = try await pond.run(journal: Journal(at: left.path, largestOutput: 10))

    #expect(report[reader] == "12345678123456789")
    #expect(calls.entries.suffix(2) == ["large", "reader"])
    #expect(try left.text.kept == ["small"])
  }

  @Test func anOutputThatCouldNotBeReadIsNotKept() async throws {
    struct OnlyWritten: Encodable, Sendable { let number: Int }
    let (file, calls) = (try JournalFile(), Logbook<String>())
    let pond = Pond("written")
    let written = pond.pebble("written") {
      calls.note("written")
      return OnlyWritten(number: 7)
    }
    let reader = pond.pebble("reader", needs: written) { written in
      calls.note("reader")
      if calls.count == 2 { try await untilCancelled() }
      return written.number
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until { calls.count == 2 }
    let left = try await run.dies(with: file)

    let report = try await pond.run(journal: Journal(at: left.path))

    #expect(report[reader] == 7)
    #expect(calls.entries == ["written", "reader", "written", "reader"])
    let text = String(decoding: try left.bytes, as: UTF8.self)
    #expect(text.contains("could not be kept: OnlyWritten is not Decodable"))
  }

  @Test func anOutputThatCannotBeEncodedIsNotKept() async throws {
    let file = try JournalFile()
    let pond = Pond("odd")
    let odd = pond.pebble("odd") { Double.nan }
    pond.pebble("reader", needs: odd) { _ in }

    let report = try await pond.run(journal: Journal(at: file.path))

    #expect(report.outcomeWords == ["odd succeeded", "reader succeeded"])
    #expect(String(decoding: try file.bytes, as: UTF8.self).contains("has lost its output"))
  }

  @Test func voidIsAnOutput() async throws {
    let file = try JournalFile()
    let calls = Logbook<String>()
    let pond = Pond("void")
    let first = pond.pebble("first") { calls.note("first") }
    pond.pebble("second", needs: first) { _ in
      calls.note("second")
      if calls.count == 2 { try await untilCancelled() }
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until { calls.count == 2 }
    let left = try await run.dies(with: file)

    let report = try await pond.run(journal: Journal(at: left.path))

    #expect(calls.entries == ["first", "second", "second"])
    #expect(report.outcomeWords == ["first succeeded", "second succeeded"])
  }

  @Test func anotherCoderKeepsBytes() async throws {
    let file = try JournalFile()
    let coder = ReversedJSON()
    let first = SmallPond()
    let run = try await first.pond.start(journal: Journal(at: file.path, coder: coder))
    _ = try await run.report
    let left = try await run.dies(with: file)
    let again = SmallPond()

    let next = try await again.pond.start(journal: Journal(at: left.path, coder: coder))
    let report = try await next.report
    _ = try await next.shutdown()

    #expect(report[again.sum] == 4)
    #expect(again.calls.entries == [] && again.closed.entries == ["opens"])
  }

  @Test func errorsKeepTheirWordsAndCases() async throws {
    let file = try JournalFile()
    let pond = Pond("errors")
    let fails = pond.pebble("fails") { throw Breakdown("no\nroute \u{1F680}") }
    let lost = fails.failed("lost") { $0 is Breakdown }
    pond.pebble("rescue", when: lost, teardown: {}) {}
    let run = try await pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    let left = try await run.dies(with: file)

    let next = try await pond.start(journal: Journal(at: left.path))
    let report = try await next.report
    _ = try await next.shutdown()

    #expect(
      report.outcome(of: fails).error as? RecordedError == RecordedError("no\nroute \u{1F680}"))
    #expect(report.record(of: fails)?.cases == [.failed("lost")])
    #expect(report.exitCode == 0)
  }

  /// Runs a pond with a service that takes an output that cannot be kept, and returns the journal
  /// as if the process had died when the service was up. The closure is called when the output is
  /// produced again.
  private static func deathOfService(
    _ again: @escaping @Sendable () async -> Void
  ) async throws -> (pond: Pond, calls: Logbook<String>, left: JournalFile) {
    let (file, pond, calls) = (try JournalFile(), Pond("served"), Logbook<String>())
    let handle = pond.pebble("handle", teardown: { _ in calls.note("close") }) {
      calls.note("handle")
      if calls.count > 1 { await again() }
      return NightlyPond.Handle()
    }
    pond.service("server", needs: handle) { ready, _ in
      calls.note("server")
      ready()
      await ready.stopRequested()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    return (pond, calls, try await run.dies(with: file))
  }

  /// Runs a pond until both readers are running, and returns the journal as if the process had died
  /// then.
  private static func deathOf(_ lossy: Lossy) async throws -> JournalFile {
    let file = try JournalFile()
    let run = try await lossy.pond.start(journal: Journal(at: file.path))
    try await until { lossy.calls.count == 3 }
    return try await run.dies(with: file)
  }
}

/// A pond with a pebble whose output cannot be kept, and two pebbles that need it.
private struct Lossy: Sendable {
  let pond = Pond("lossy")
  let calls = Logbook<String>()
  let closed = Logbook<String>()
  let handle: Pebble<NightlyPond.Handle>
  let left: Pebble<Int>
  let right: Pebble<Int>

  init(hangs: Bool = false, fails: Bool = false) {
    let (calls, closed) = (calls, closed)
    handle = pond.pebble("handle", teardown: { _ in closed.note("handle") }) {
      calls.note("handle")
      if fails { throw Breakdown("handle") }
      return NightlyPond.Handle()
    }
    left = pond.pebble("left", needs: handle) { _ in
      calls.note("left")
      if hangs { try await untilCancelled() }
      return 1
    }
    right = pond.pebble("right", needs: handle) { _ in
      calls.note("right")
      if hangs { try await untilCancelled() }
      return 2
    }
  }
}

/// A coder that writes the bytes of JSON in reverse order, so that the outputs are not valid JSON.
private struct ReversedJSON: OutputCoder {
  func encode(_ output: some Encodable) throws -> [UInt8] {
    try JSONOutputs().encode(output).reversed()
  }

  func decode<Output: Decodable>(_ type: Output.Type, from bytes: [UInt8]) throws -> Output {
    try JSONOutputs().decode(type, from: bytes.reversed())
  }
}
