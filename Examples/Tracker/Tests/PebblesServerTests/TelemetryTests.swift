import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import Pebbles
import PebblesServer
import Synchronization
import Testing
import Tracing
import TrackerTestSupport

/// A log handler that keeps the logged records.
struct KeepingHandler: LogHandler {
  struct Line: Sendable, Equatable {
    let level: Logger.Level
    let text: String
    let metadata: Logger.Metadata
  }

  final class Lines: Sendable {
    private let lines = Mutex<[Line]>([])

    var all: [Line] { lines.withLock { $0 } }

    func add(_ line: Line) { lines.withLock { $0.append(line) } }
  }

  let lines: Lines
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let own = metadata.merging(metadataProvider?.get() ?? [:]) { _, provided in provided }
    let all = own.merging(event.metadata ?? [:]) { _, given in given }
    lines.add(Line(level: event.level, text: "\(event.message)", metadata: all))
  }
}

struct Refused: Error {}

@Suite struct LogTests {
  let lines = KeepingHandler.Lines()

  func logger(_ provider: Logger.MetadataProvider? = nil) -> Logger {
    Logger(label: "test") { [lines] _ in KeepingHandler(lines: lines, metadataProvider: provider) }
  }

  @Test func whatABodyLogsSaysFromWhichPebbleItIs() async throws {
    let logger = logger(.pebbles)
    let pond = Pond("boot")
    pond.pebble("migrate", .retry(.attempts(2))) {
      logger.info("migrating")
      if PebbleContext.current?.attempt == 1 { throw Refused() }
    }

    try await pond.run().check()
    logger.info("outside")

    let boot: Logger.Metadata = ["pond": "boot", "pebble": "migrate"]
    #expect(
      lines.all.map(\.metadata) == [boot, boot.merging(["attempt": "2"]) { $1 }, [:]])
  }

  @Test func aRunIsLoggedWithTheLevelsOfWhatHappened() async throws {
    let pond = Pond("boot")
    let fetch = pond.pebble("fetch", .retry(.attempts(2))) { throw Refused() }
    pond.pebble("offline", when: fetch.failed) {}

    let begin = Gate()
    pond.pebble("gate") { await begin.passed() }
    let run = try pond.start(eventHistory: 100)
    async let logged: Void = run.log(to: logger())
    begin.open()
    await logged

    let fetching = lines.all.filter { $0.metadata["pebble"] == "fetch" }
    #expect(fetching.map(\.level) == [.trace, .debug, .warning, .debug, .warning, .error])
    #expect(lines.all.last?.level == .notice)
    #expect(lines.all.allSatisfy { $0.metadata["time"] != nil })
    #expect(lines.all.allSatisfy { $0.metadata["run"] == "\(run.identifier)" })
  }

  @Test func whatAShutdownCancelsIsNoError() async throws {
    let pond = Pond("boot")
    let begun = Gate()
    pond.pebble("slow") {
      begun.open()
      await Gate().passedOrCancelled()
      try Task.checkCancellation()
    }

    let run = try pond.start(eventHistory: 100)
    async let logged: Void = run.log(to: logger())
    await begun.passed()
    try await run.shutdown()
    await logged

    #expect(lines.all.allSatisfy { $0.level <= .notice })
  }
}

@Suite struct MetricsTests {
  @Test func aReportIsRecorded() async throws {
    let metrics = TestMetrics()
    let pond = Pond("boot")
    let fetch = pond.pebble("fetch", .retry(.attempts(3))) { throw Refused() }
    pond.pebble("store", when: fetch.succeeded) {}
    pond.pebble("offline", when: fetch.failed) {}

    let report = try await pond.run()
    report.record(in: metrics)

    let makespan = try metrics.expectTimer("pond.makespan", [("pond", "boot")])
    #expect(makespan.lastValue == report.makespan.nanoseconds)
    let fetching = [("pond", "boot"), ("pebble", "fetch")]
    #expect(try metrics.expectTimer("pond.pebble.duration", fetching).values.count == 1)
    #expect(try metrics.expectCounter("pond.pebble.attempts", fetching).totalValue == 3)
    for (pebble, outcome) in [("fetch", "failed"), ("store", "skipped"), ("offline", "succeeded")] {
      let dimensions = [("pond", "boot"), ("pebble", pebble), ("outcome", outcome)]
      #expect(try metrics.expectCounter("pond.pebble.outcomes", dimensions).totalValue == 1)
    }
    let skipped = [("pond", "boot"), ("pebble", "store")]
    #expect(throws: (any Error).self) { try metrics.expectTimer("pond.pebble.duration", skipped) }
  }

  @Test func whatIsKeptIsNotRecordedAgain() async throws {
    let metrics = TestMetrics()
    let pond = Pond("boot")
    let isBack = pond.given("isBack", default: false)
    pond.pebble("migrate") {}
    pond.pebble("fetch", needs: isBack) { if !$0 { throw Refused() } }

    let run = try pond.start()
    try await run.report.record(in: metrics)
    try await run.resumed(given: [isBack.value(true)]).report.record(in: metrics)

    let migrating = [("pond", "boot"), ("pebble", "migrate")]
    #expect(try metrics.expectTimer("pond.pebble.duration", migrating).values.count == 1)
    let outcomes = [("migrate", "succeeded"), ("fetch", "failed"), ("fetch", "succeeded")]
    for (pebble, outcome) in outcomes {
      let dimensions = [("pond", "boot"), ("pebble", pebble), ("outcome", outcome)]
      #expect(try metrics.expectCounter("pond.pebble.outcomes", dimensions).totalValue == 1)
    }
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}

@Suite struct SpanTests {
  let tracer = InMemoryTracer()

  func spans(of name: String) -> [FinishedInMemorySpan] {
    tracer.finishedSpans.filter { $0.operationName == name }
  }

  /// Waits until `count` spans have ended. They are ended by a task that observes the run.
  func ended(_ count: Int) async {
    while tracer.finishedSpans.count < count { await Task.yield() }
  }

  @Test func attemptsAreSpansUnderTheSpanOfTheirRun() async throws {
    let pond = Pond("boot", around: attemptSpans(of: tracer))
    pond.pebble("migrate", .retry(.attempts(2))) { [tracer] in
      tracer.withSpan("inside") { _ in }
      if PebbleContext.current?.attempt == 1 { throw Refused() }
    }
    pond.pebble("fetch") {}

    try await pond.run().check()
    await ended(6)

    let boot = try #require(spans(of: "boot").first)
    let migrate = spans(of: "migrate")
    #expect(boot.parentSpanID == nil)
    #expect(migrate.map(\.parentSpanID) == [boot.spanID, boot.spanID])
    #expect(migrate.map(\.errors.count) == [1, 0])
    #expect(migrate.map { $0.status?.code == .error } == [true, false])
    #expect(migrate.map { $0.attributes.get("pond.attempt") } == [.int64(1), .int64(2)])
    #expect(spans(of: "fetch").map(\.parentSpanID) == [boot.spanID])
    #expect(spans(of: "inside").map(\.parentSpanID) == migrate.map(\.spanID))
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test func theSpanOfAServiceEndsWhenItIsReady() async throws {
    let pond = Pond("boot", around: attemptSpans(of: tracer))
    pond.service("http") { ready in
      ready()
      await ready.stopRequested()
    }

    let run = try pond.start()
    _ = try await run.report
    await ended(2)

    #expect(spans(of: "http").map(\.errors.count) == [0])
    #expect(tracer.activeSpans.isEmpty)
    try await run.shutdown().check()
  }

  @Test func whatAnExistingServiceDoesIsNoChildOfTheBoot() async throws {
    let pond = Pond("boot", around: attemptSpans(of: tracer))
    let journal = Journal()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let asked = Gate()
    let patient = Patient(
      journal: journal,
      onRunning: { [tracer] in
        tracer.withSpan("request") { _ in }
        asked.open()
      })
    pond.service("http", patient, .stopWithin(.seconds(60)), logger: logger)

    let run = try pond.start()
    await asked.passed()
    try await run.shutdown().check()

    #expect(spans(of: "request").map(\.parentSpanID) == [nil])
  }

  @Test func aRunInsideOfABodyIsInsideOfItsSpan() async throws {
    let around = attemptSpans(of: tracer)
    let pond = Pond("boot", around: around)
    pond.pebble("load") {
      let inner = Pond("pages", around: around)
      inner.pebble("page") {}
      try await inner.run().check()
    }

    try await pond.run().check()
    await ended(4)

    let load = try #require(spans(of: "load").first)
    let pages = try #require(spans(of: "pages").first)
    #expect(pages.parentSpanID == load.spanID)
    #expect(spans(of: "page").map(\.parentSpanID) == [pages.spanID])
  }

  @Test func theSpanOfARunThatIsCancelledEnds() async throws {
    let pond = Pond("boot", around: attemptSpans(of: tracer))
    let begun = Gate()
    pond.service("http") { ready in
      ready()
      await ready.stopRequested()
    }
    pond.pebble("slow") {
      begun.open()
      await Gate().passedOrCancelled()
      try Task.checkCancellation()
    }

    let run = try pond.start()
    await begun.passed()
    try await run.shutdown()
    await ended(3)

    #expect(spans(of: "slow").map(\.errors.count) == [1])
    #expect(tracer.activeSpans.isEmpty)
  }
}
