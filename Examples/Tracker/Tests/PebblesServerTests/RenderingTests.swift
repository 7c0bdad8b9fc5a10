import Hummingbird
import Pebbles
import Synchronization
import Testing
import TrackerTestSupport

@testable import PebblesServer

@Suite struct RenderingTests {
  /// A counter of renderings. Each rendering is a string with the count so far.
  final class Count: Sendable {
    private let calls = Mutex(0)

    var all: Int { calls.withLock { $0 } }

    func render() -> String {
      calls.withLock { calls in
        calls += 1
        return "\(calls)"
      }
    }
  }

  let rendering = Rendering()
  let count = Count()

  func text(_ run: Run, _ report: Report? = nil) async -> String {
    String(buffer: await rendering.bytes(of: run, report) { [count] in count.render() })
  }

  @Test func allWhoAskAtOnceShareOne() async throws {
    let pond = Pond("boot")
    pond.pebble("settings") {}
    let run = try pond.start()
    let report = try await run.report

    let texts = await withTaskGroup(of: String.self) { group in
      for _ in 0..<1_000 { group.addTask { await text(run, report) } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }

    #expect(texts == ["1"])
    #expect(count.all == 1)
  }

  @Test func theLastRunIsRenderedOnceToo() async throws {
    let pond = Pond("refresh")
    pond.pebble("fetch") {}
    for number in 1...2 {
      let report = try await pond.run()
      for _ in 0..<2 {
        let bytes = await rendering.bytes(of: report) { [count] in count.render() }
        #expect(String(buffer: bytes) == "\(number)")
      }
    }
  }

  @Test func aBootUnderWayIsRenderedAnewOnceSomethingHasHappened() async throws {
    let pond = Pond("boot")
    let (settings, migrate) = (Gate(), Gate())
    pond.pebble("settings") { await settings.passed() }
    pond.pebble("migrate") { await migrate.passed() }
    let run = try pond.start()
    while run.status.running.count < 2 { await Task.yield() }

    #expect(await [text(run), text(run)] == ["1", "1"])
    settings.open()
    while run.status.settled < 1 { await Task.yield() }
    #expect(await [text(run), text(run)] == ["2", "2"])
    migrate.open()
    let report = try await run.report
    #expect(await [text(run, report), text(run, report)] == ["3", "3"])
  }

  @Test func aServiceThatEndsAfterTheBootIsRenderedToo() async throws {
    let pond = Pond("boot")
    let leave = Gate()
    let refresher = pond.service("refresher", .ending(.ignore)) { ready in
      ready()
      await leave.passed()
    }
    let run = try pond.start()
    let report = try await run.report

    #expect(await [text(run, report), text(run, report)] == ["1", "1"])
    leave.open()
    while report.record(of: refresher)?.isServiceDown != true { await Task.yield() }
    #expect(await [text(run, report), text(run, report)] == ["2", "2"])
    try await run.shutdown()
  }
}
