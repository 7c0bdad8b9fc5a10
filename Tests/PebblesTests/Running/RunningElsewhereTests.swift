import Foundation
import Pebbles
import PebblesTestSupport
import Testing

/// The examples of the article "Running bodies elsewhere".
@Suite(.timeLimit(.minutes(5))) struct RunningElsewhereTests {
  private let pond = Pond("nightly")

  @Test func everyPebbleIsAProcess() async throws {
    let fetch = pond.pebble("fetch") {}
    let check = pond.pebble("check", when: fetch.succeeded) {}
    let publish = pond.pebble("publish", when: check.succeeded) {}
    let rollBack = pond.pebble("roll back", when: check.failed) {}

    let report = try await run(pond, ["check": "exit 3"])

    #expect(report?.succeeded(fetch) == true)
    #expect(report?.failed(check) == true)
    #expect(report?.skipped(publish) == true)
    #expect(report?.succeeded(rollBack) == true)
    #expect(report?.record(of: publish)?.explanation.contains("check failed") == true)
  }

  private func run(_ pond: Pond, _ commands: [String: String]) async throws -> Report? {
    let scheduler = try Scheduler(pond)
    let (clock, names) = (ContinuousClock(), scheduler.names)
    let start = clock.now
    let (ends, ended) = AsyncStream.makeStream(of: (pebble: Int, status: Int32).self)
    var iterator = ends.makeAsyncIterator()
    while !scheduler.isFinished {
      for pebble in scheduler.ready {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", commands[names[pebble]] ?? "true"]
        process.terminationHandler = { ended.yield((pebble, $0.terminationStatus)) }
        try scheduler.start(pebble, at: clock.now - start)
        do {
          try process.run()
        } catch {
          try scheduler.settle(pebble, failedWith: error, at: clock.now - start)
        }
      }
      guard !scheduler.running.isEmpty, let end = await iterator.next() else { continue }
      try scheduler.settle(end.pebble, succeeded: end.status == 0, at: clock.now - start)
    }
    return scheduler.report
  }

  private enum Entry: Sendable {
    case started(Int, Duration)
    case settled(Int, succeeded: Bool, Duration)
  }

  @Test func aRunIsRebuiltFromItsLog() throws {
    let fetch = pond.pebble("fetch") {}
    pond.pebble("store", when: fetch.succeeded) {}
    pond.pebble("index") {}
    let log: [Entry] = [
      .started(0, .seconds(1)), .started(2, .seconds(1)),
      .settled(0, succeeded: true, .seconds(4)), .started(1, .seconds(4)),
    ]

    for length in 0...log.count {
      let scheduler = try Scheduler(pond)
      for entry in log.prefix(length) { try tell(entry, to: scheduler) }
      // Whatever had started is called again, and the run ends as it would have.
      for pebble in scheduler.running.sorted() {
        try scheduler.settle(pebble, succeeded: true, at: .seconds(9))
      }
      while let pebble = scheduler.ready.first {
        try scheduler.start(pebble, at: .seconds(9))
        try scheduler.settle(pebble, succeeded: true, at: .seconds(9))
      }
      #expect(scheduler.report?.isAllSucceeded == true)
      #expect(scheduler.report?.makespan == .seconds(9))
    }
  }

  private func tell(_ entry: Entry, to scheduler: Scheduler) throws {
    switch entry {
    case .started(let pebble, let time): try scheduler.start(pebble, at: time)
    case .settled(let pebble, let succeeded, let time):
      try scheduler.settle(pebble, succeeded: succeeded, at: time)
    }
  }
}
