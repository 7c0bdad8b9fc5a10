import Hummingbird
import HummingbirdTesting
import Logging
import Pebbles
import PebblesServer
import ServiceLifecycle
import Synchronization
import Testing
import TrackerTestSupport

/// The events of a test, in order.
final class Journal: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  var all: [String] { lines.withLock { $0 } }
}

/// A service that runs until it is shut down gracefully or cancelled, and records which happened.
struct Patient: Service {
  let journal: Journal
  var onRunning: @Sendable () -> Void = {}
  var isStubborn = false

  func run() async throws {
    onRunning()
    await withTaskCancellationOrGracefulShutdownHandler {
      if isStubborn {
        await Gate().passedOrCancelled()
      } else {
        try? await gracefulShutdown()
      }
    } onCancelOrGracefulShutdown: {
    }
    journal.add(Task.isCancelled ? "cancelled" : "gracefully ended")
  }
}

extension Gate {
  func passedOrCancelled() async {
    await withTaskCancellationHandler {
      await passed()
    } onCancel: {
      open()
    }
  }
}

@Suite struct ServiceTests {
  let journal = Journal()
  let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test func anExistingServiceIsAPebbleThatIsShutDownGracefully() async throws {
    let pond = Pond("server")
    let service = pond.service(
      "patient", Patient(journal: journal), .stopWithin(.seconds(60)), logger: logger)

    let run = try pond.start()
    let report = try await run.report
    try await run.shutdown().check()

    #expect(report.succeeded(service))
    #expect(journal.all == ["gracefully ended"])
    #expect(report.exitCode == 0)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func aLimitThatNoShutdownCanKeepIsRefusedAtTheStart(limit: Duration) async throws {
    let pond = Pond("server")
    pond.pebble("load") { [journal] in journal.add("called") }

    await #expect(throws: InvalidShutdownLimit.self) {
      try await PondService(pond, shutdownWithin: limit).run()
    }

    #expect(journal.all.isEmpty)
  }

  /// Checks a cancellation at the moment when the service becomes ready, as if SIGTERM arrived
  /// while a server was about to listen.
  @Test func oneThatIsReadyAtTheMomentOfACancellationIsNoFailure() async throws {
    let pond = Pond("server")
    let begun = Gate()
    pond.service("http") { ready in
      begun.open()
      await Gate().passedOrCancelled()
      ready()
    }
    let run = try pond.start()
    await begun.passed()

    try await run.shutdown().check()

    let report = try await run.reportAfterShutdown()
    #expect(report.exitCode == 0, "\(report)")
  }

  @Test func oneThatGoesOnIsCancelledAfterItsTime() async throws {
    let pond = Pond("server")
    pond.service(
      "stubborn", Patient(journal: journal, isStubborn: true), .stopWithin(.milliseconds(1)),
      logger: logger)

    let run = try pond.start()
    _ = try await run.report
    try await run.shutdown()

    #expect(journal.all == ["cancelled"])
  }

  @Test func oneThatIsReadyLaterSaysSo() async throws {
    let pond = Pond("server")
    let address = pond.pebble("address") { 0 }
    let http: Pebble<Int> = pond.service(
      "http", .stopWithin(.seconds(60)), needs: address
    ) { ready, port in
      let application = Application(
        router: Router(), configuration: .init(address: .hostname("127.0.0.1", port: port)),
        onServerRunning: { ready($0.localAddress?.port ?? 0) }, logger: logger)
      try await ready.run(application, logger: logger)
    }

    let run = try pond.start()
    let report = try await run.report
    try await run.shutdown().check()

    #expect(try report.value(of: http) > 0)
  }

  @Test func oneThatFailsFailsItsPebble() async throws {
    struct Broken: Service {
      func run() async throws { throw CocoaBreakdown() }
    }
    let pond = Pond("server")
    let service = pond.service("broken", when: .always) { ready in
      try await ready.run(Broken(), logger: logger)
    }

    let report = try await pond.run()

    #expect(report.outcome(of: service).error is CocoaBreakdown)
  }

  @Test func askedToStopBeforeItRunsItEndsAllTheSame() async throws {
    let (ready, requestStop) = ServiceReady<Void>.makeStoppable {}
    requestStop()
    try await ready.run(Patient(journal: journal), logger: logger)

    #expect(journal.all == ["gracefully ended"])
  }

  struct CocoaBreakdown: Error {}
}

@Suite struct PondServiceTests {
  let journal = Journal()
  let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  func group(_ services: any Service...) -> ServiceGroup {
    ServiceGroup(services: services, logger: logger)
  }

  @Test func aPondGoesOnUntilItsGroupIsShutDown() async throws {
    let pond = Pond("server")
    let up = Gate()
    let database = pond.pebble("database", teardown: { [journal] in journal.add("closed") }) {}
    pond.service("http", when: database.succeeded) { [journal] ready in
      ready()
      await ready.stopRequested()
      journal.add("stopped")
    }
    let group = group(
      PondService(pond) { run in
        Task {
          _ = try await run.report
          up.open()
        }
      })

    async let ended: Void = group.run()
    await up.passed()
    await group.triggerGracefulShutdown()
    try await ended

    #expect(journal.all == ["stopped", "closed"])
  }

  @Test func aShutdownDuringTheBootCancelsItAndIsNoFailure() async throws {
    let pond = Pond("server")
    let begun = Gate()
    pond.pebble("database", teardown: { [journal] in journal.add("closed") }) { begun.open() }
    pond.pebble("migrate") {
      await begun.passed()
      await Gate().passedOrCancelled()
      try Task.checkCancellation()
    }
    let group = group(PondService(pond))

    async let ended: Void = group.run()
    await begun.passed()
    await group.triggerGracefulShutdown()
    try await ended

    #expect(journal.all == ["closed"])
  }

  @Test func cancellingItsTaskShutsItDownToo() async throws {
    let pond = Pond("server")
    let up = Gate()
    pond.service("http") { [journal] ready in
      ready()
      up.open()
      await ready.stopRequested()
      journal.add("stopped")
    }

    let task = Task { try await PondService(pond).run() }
    await up.passed()
    task.cancel()
    try await task.value

    #expect(journal.all == ["stopped"])
  }

  @Test func aBootThatFailsEndsItsGroup() async throws {
    struct Refused: Error {}
    let pond = Pond("server", onFailure: .cancelAll)
    pond.pebble("database") { throw Refused() }

    let error = await #expect(throws: PondServiceError.self) {
      try await PondService(pond).run()
    }
    #expect(error?.description.contains("database") == true)
    #expect(error?.report.cancellation?.failedPebble == "database")
  }

  @Test func aPondThatIsDefinedWronglyIsNotStarted() async throws {
    let pond = Pond("server")
    pond.pebble("one") {}
    pond.pebble("one") {}

    await #expect(throws: PondError.self) { try await PondService(pond).run() }
  }
}
