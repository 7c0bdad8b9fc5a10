import Foundation
import Pebbles
import PebblesDurable
import PebblesTestSupport
import Testing

/// Tests that execute the examples of the article "Running bodies elsewhere".
@Suite(.watched) struct RunningElsewhereTests {
  private let pond = Pond("nightly")

  // MARK: - A loop of one's own

  private struct Request: Sendable {
    let pebble: String
    let attempt: Int
    let run: RunIdentifier
    let inputs: [String: EncodedOutcome]
  }

  private func run(
    _ pond: Pond, call: @escaping @Sendable (Request) async throws -> AttemptResult
  ) async throws -> Report? {
    let scheduler = try Scheduler(pond)
    let (clock, names) = (ContinuousClock(), scheduler.names)
    let start = clock.now
    var outputs: [Int: [UInt8]] = [:]
    return try await withThrowingTaskGroup(of: (Int, Request, AttemptResult).self) { group in
      func send(_ request: Request, for pebble: Int, after delay: Duration = .zero) {
        group.addTask {
          try await Task.sleep(for: delay)
          return (pebble, request, try await call(request))
        }
      }
      while !scheduler.isFinished {
        for pebble in scheduler.ready {
          var inputs: [String: EncodedOutcome] = [:]
          for input in scheduler.inputs(of: pebble) {
            guard let outcome = scheduler.outcome(of: input) else { continue }
            inputs[names[input]] = EncodedOutcome(outcome, output: outputs[input])
          }
          try scheduler.start(pebble, at: clock.now - start)
          let run = scheduler.runIdentifier
          send(Request(pebble: names[pebble], attempt: 1, run: run, inputs: inputs), for: pebble)
        }
        guard let (pebble, last, result) = try await group.next() else { break }
        switch result {
        case .succeeded(let output, let cases):
          outputs[pebble] = output
          try scheduler.settle(pebble, succeeded: true, cases: cases, at: clock.now - start)
        case .failed(let failure):
          if let delay = failure.retryAfter {
            let next = Request(
              pebble: last.pebble, attempt: last.attempt + 1, run: last.run, inputs: last.inputs)
            send(next, for: pebble, after: delay)
          } else {
            try scheduler.settle(
              pebble, failedWith: failure.error, cases: failure.cases, at: clock.now - start)
          }
        }
      }
      return scheduler.report
    }
  }

  private func answer(_ request: Request) async throws -> AttemptResult {
    try await pond.attempt(
      .named(request.pebble), number: request.attempt, of: request.run, inputs: request.inputs,
      coder: JSONOutputs())
  }

  @Test func everyBodyIsCalledByALoop() async throws {
    let (attempts, published) = (Attempts(failing: 2), Logbook<String>())
    let keys = Logbook<String?>()
    let fetch = pond.pebble("fetch", .retry(.attempts(3))) {
      keys.note(PebbleContext.current?.idempotencyKey)
      _ = try attempts.next()
      return ["Starlink 1", "Starlink 2"]
    }
    let compare = pond.pebble("compare", needs: fetch) { launches in
      guard launches.count == 2 else { throw Breakdown("too few") }
      return launches.count
    }
    let mail = pond.pebble("mail") { throw Breakdown("no route") }
    pond.pebble("publish", needs: fetch, compare, mail.result) { launches, count, mail in
      published.note("\(launches) \(count) \(mail)")
    }
    pond.pebble("roll back", when: compare.failed) {}

    let report = try #require(try await run(pond, call: answer))

    #expect(
      published.entries == [
        #"["Starlink 1", "Starlink 2"] 2 failure(no route)"#
      ])
    #expect(report.outcome(of: mail).error as? Breakdown == Breakdown("no route"))
    #expect(report.skipped(.named("roll back")))
    #expect(keys.entries.count == 3 && Set(keys.entries).count == 1)
    #expect(keys.entries.first == "\(report.identifier)/fetch")
    #expect(report.record(of: fetch)?.outcome.isSucceeded == true)
  }

  /// Checks that a loop that calls bodies with `attempt` has the same outcomes as a run.
  @Test(arguments: 0..<4) func aLoopAgreesWithARun(shard: UInt64) async throws {
    var generator = SeededGenerator(seed: 7_000 + shard)
    for _ in 0..<Thoroughness.times(5) {
      let reference = ReferencePond.random(
        mostPebbles: 8, withCases: shard >= 2, using: &generator)
      let pond = Pond("random", maxConcurrent: Bool.random(using: &generator) ? 2 : nil)
      reference.define(in: pond)

      let report = try #require(
        try await run(pond) { request in
          try await pond.attempt(
            .named(request.pebble), inputs: request.inputs, coder: JSONOutputs())
        })
      let expected = try await pond.run()

      #expect(
        report.records.map(\.outcome.event) == expected.records.map(\.outcome.event),
        "\(reference)")
      #expect(report.records.map(\.cases) == expected.records.map(\.cases), "\(reference)")
    }
  }

  // MARK: - The way back

  @Test func whatHasSucceededIsTornDownByALoop() async throws {
    let undone = Logbook<String>()
    let lock = pond.pebble("lock", teardown: { undone.note("lock \($0)") }) { 7 }
    let store = pond.pebble("store", needs: lock, teardown: { undone.note($0) }) { "store \($0)" }
    pond.pebble("publish", when: store.succeeded, teardown: { throw Breakdown("no route") }) {}
    let scheduler = try Scheduler(pond)
    let names = scheduler.names
    var outputs: [Int: [UInt8]] = [:]
    while let pebble = scheduler.ready.first {
      var inputs: [String: EncodedOutcome] = [:]
      for input in scheduler.inputs(of: pebble) {
        inputs[names[input]] = .succeeded(outputs[input])
      }
      try scheduler.start(pebble, at: .zero)
      let result = try await pond.attempt(
        .named(names[pebble]), of: scheduler.runIdentifier, inputs: inputs, coder: JSONOutputs())
      if case .succeeded(let output, _) = result { outputs[pebble] = output }
      try scheduler.settle(pebble, succeeded: true, at: .zero)
    }

    var teardown = scheduler.teardown()
    while let pebble = teardown.ready.first {
      try teardown.start(pebble)
      do {
        try await pond.tearDown(
          .named(names[pebble]), of: scheduler.runIdentifier, output: outputs[pebble],
          coder: JSONOutputs())
      } catch {
        undone.note("\(names[pebble]) was not torn down: \(error)")
      }
      try teardown.end(pebble)
    }

    #expect(
      undone.entries == ["publish was not torn down: no route", "store 7", "lock 7"])
    #expect(teardown.isFinished)
  }

  // MARK: - Processes

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

  @Test func processThatCannotBeStartedCancelsTheOthers() async throws {
    let pond = Pond("strict", onFailure: .cancelAll)
    let fetch = pond.pebble("fetch") {}
    let check = pond.pebble("check") {}

    let report = try await run(pond, [:], shell: "/no such folder/sh")

    #expect(report?.failed(fetch) == true)
    #expect(report?.outcome(of: check).skipReason == .cancelled)
  }

  private func run(
    _ pond: Pond, _ commands: [String: String], shell: String = "/bin/sh"
  ) async throws -> Report? {
    let scheduler = try Scheduler(pond)
    let (clock, names) = (ContinuousClock(), scheduler.names)
    let start = clock.now
    let (ends, ended) = AsyncStream.makeStream(of: (pebble: Int, status: Int32).self)
    var iterator = ends.makeAsyncIterator()
    while !scheduler.isFinished {
      while let pebble = scheduler.ready.first {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: shell)
        process.arguments = ["-c", commands[names[pebble]] ?? "true"]
        process.terminationHandler = { ended.yield((pebble, $0.terminationStatus)) }
        try scheduler.start(pebble, at: clock.now - start)
        do {
          try process.runAlone()
        } catch {
          try scheduler.settle(pebble, failedWith: error, at: clock.now - start)
        }
      }
      guard !scheduler.running.isEmpty, let end = await iterator.next() else { continue }
      try scheduler.settle(end.pebble, succeeded: end.status == 0, at: clock.now - start)
    }
    return scheduler.report
  }

  // MARK: - A log

  private enum Entry: Sendable {
    case started(Int, Duration)
    case settled(Int, succeeded: Bool, cases: [PebbleCase], Duration)
  }

  @Test func aRunIsRebuiltFromItsLog() throws {
    let fetch = pond.pebble("fetch") {}
    let isNew = fetch.succeeded("new") { true }
    pond.pebble("store", when: isNew) {}
    pond.pebble("index") {}
    let log: [Entry] = [
      .started(0, .seconds(1)), .started(2, .seconds(1)),
      .settled(0, succeeded: true, cases: [.succeeded("new")], .seconds(4)),
      .started(1, .seconds(4)),
    ]

    for length in 0...log.count {
      let scheduler = try Scheduler(pond, for: RunIdentifier("nightly-17"))
      for entry in log.prefix(length) { try tell(entry, to: scheduler) }
      // Whatever had started is called again, and the run ends as it would have.
      for pebble in scheduler.running.sorted() {
        try scheduler.settle(
          pebble, succeeded: true, cases: pebble == 0 ? [.succeeded("new")] : [], at: .seconds(9))
      }
      while let pebble = scheduler.ready.first {
        try scheduler.start(pebble, at: .seconds(9))
        try scheduler.settle(
          pebble, succeeded: true, cases: pebble == 0 ? [.succeeded("new")] : [], at: .seconds(9))
      }
      #expect(scheduler.report?.isAllSucceeded == true)
      #expect(scheduler.report?.makespan == .seconds(9))
      #expect(scheduler.report?.identifier == RunIdentifier("nightly-17"))
    }
  }

  private func tell(_ entry: Entry, to scheduler: Scheduler) throws {
    switch entry {
    case .started(let pebble, let time): try scheduler.start(pebble, at: time)
    case .settled(let pebble, let succeeded, let cases, let time):
      try scheduler.settle(pebble, succeeded: succeeded, cases: cases, at: time)
    }
  }
}
