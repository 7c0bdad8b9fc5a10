import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of bodies that ran other ponds, in a run that was torn down and is resumed. The runs
/// inside the bodies no longer exist.
@Suite(.watched) struct ResumedNestedRunTests {
  private let pond = Pond("boot")
  private let inner = Pond("inner")
  private let calls = Attempts(failing: 0)
  private let load: Pebble<Void>

  init() {
    inner.pebble("step") {}
    load = pond.pebble("load") { [inner, calls] in
      _ = try calls.next()
      try await inner.run().check()
    }
  }

  @Test func aBodyThatRanAPondIsCalledAgain() async throws {
    let plain = Attempts(failing: 0)
    pond.pebble("plain") { _ = try plain.next() }

    try await resumeAfterShutdown(try pond.start())

    #expect(calls.count == 2)
    #expect(plain.count == 1)
  }

  @Test func soIsOneOfWhichNoReportIsLeft() async throws {
    let known = Promise<Run>()
    let report = try await inner.run()
    // Of all that pebbles run there are a thousand reports at most.
    for place in 1...10 {
      pond.pebble("busy \(place)", when: load.succeeded) {
        let storage = await known.value().core.storage
        for _ in 0..<100 { storage.addNestedReport(report, at: place) }
      }
    }
    let run = try pond.start()
    known.fulfill(run)

    let record = try #require(try await run.report.record(of: load))
    #expect(record.nestedReports.isEmpty && record.droppedNestedReports == 1)
    try await resumeAfterShutdown(run)

    #expect(calls.count == 2)
  }

  @Test func aServiceInsideOfWhatIsKeptIsAFailureOfTheNewRunToo() async throws {
    let (crash, flaky) = (Gate(), Attempts(failing: 1))
    let server = Pond("server")
    server.service("listener", .ending(.ignore)) { ready in
      ready()
      await crash.passed()
      throw Breakdown()
    }
    let starts = pond.pebble("starts") { _ = try await server.run() }
    pond.pebble("fetch") { _ = try flaky.next() }
    let first = try pond.start()
    let before = try await first.report
    let second = try await first.resumed()
    let report = try await second.report
    #expect(report.record(of: starts)?.keptFrom == first.identifier)

    crash.open()
    try await until { before.record(of: starts)?.servicesDownInside.isEmpty == false }

    #expect(report.record(of: starts)?.servicesDownInside.map(\.path) == [["listener"]])
    #expect(report.exitCode == 1)
    try await second.shutdown()
  }

  /// Checks that a pebble is not kept if a service is down in a run inside it. If it were kept, the
  /// new run would not report the failure, although the service would still be down.
  @Test(arguments: [ServiceEnding.shutDown, .ignore])
  func aBodyInsideOfWhichAServiceIsDownIsCalledAgain(_ ending: ServiceEnding) async throws {
    let (crash, starts) = (Gate(), Attempts(failing: 0))
    let server = Pond("server")
    server.service("listener", .ending(ending)) { ready in
      let call = try starts.next()
      ready()
      guard call == 1 else { return await ready.stopRequested() }
      await crash.passed()
      throw Breakdown()
    }
    let opens = pond.pebble("opens") { _ = try await server.run() }
    let first = try pond.start()
    let before = try await first.report
    crash.open()
    try await until { before.exitCode == 1 }

    let second = try await first.resumed()
    let report = try await second.report

    #expect(report.record(of: load)?.keptFrom == first.identifier)
    #expect(report.record(of: opens)?.keptFrom == nil)
    #expect(starts.count == 2 && report.exitCode == 0)
    try await second.shutdown().check()
  }

  /// Checks that a service of an inner run cannot resume the outer run. The resumption would wait
  /// for the service itself to stop, because the pebble that started the inner run is not kept.
  @Test(arguments: [false, true])
  func aServiceInsideCannotResumeTheRunThatStopsIt(isInsideService: Bool) async throws {
    let (holder, journal) = (Promise<Run>(), Logbook<String>())
    let flaky = Attempts(failing: 1)
    let server = Pond("server")
    server.service("listener") { ready in
      ready()
      do {
        _ = try await holder.value().resumed()
        journal.note("resumed")
      } catch {
        journal.note("refused")
      }
      await ready.stopRequested()
    }
    let fetch = pond.pebble("fetch") { _ = try flaky.next() }
    if isInsideService {
      pond.service("offline", when: fetch.failed) { ready in
        _ = try await server.run()
        ready()
        await ready.stopRequested()
      }
    } else {
      pond.pebble("offline", when: fetch.failed) { _ = try await server.run() }
    }
    let first = try pond.start()
    _ = try await first.report
    holder.fulfill(first)
    try await until { journal.count == 1 }

    #expect(journal.entries == ["refused"])
    // From elsewhere it can be resumed afterwards.
    let second = try await first.resumed()
    #expect(try await second.report.succeeded(fetch))
    try await second.shutdown().check()
  }

  /// Tests a task that starts a run after the pebble that created the task was torn down. The
  /// pebble is not kept, so it is torn down before the next run begins.
  @Test func aRunThatATaskStartsAfterItsPebbleWasTornDownIsShutDownAtOnce() async throws {
    let (isResumed, flaky) = (Gate(), Attempts(failing: 1))
    let server = Pond("server")
    server.service("listener") { ready in
      ready()
      await ready.stopRequested()
    }
    let fetch = pond.pebble("fetch") { _ = try flaky.next() }
    let late = Promise<Run>()
    pond.pebble("starts", needs: fetch.result, teardown: { (_: Void) in }) { result in
      guard case .failure = result else { return }
      Task {
        await isResumed.passed()
        late.fulfill(try server.start())
      }
    }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    _ = try await second.report

    isResumed.open()
    let run = await late.value()

    try await until { run.status.phase == .shutDown || run.status.phase == .failed }
    try await second.shutdown().check()
  }

  private func resumeAfterShutdown(_ run: Run) async throws {
    _ = try await run.report
    try await run.shutdown().check()
    let next = try await run.resumed()
    #expect(try await next.report.isAllSucceeded)
    try await next.shutdown().check()
  }
}
