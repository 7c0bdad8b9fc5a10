import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that the failure of a service in a run inside a pebble counts as a failure of the outer
/// run.
@Suite(.watched) struct InnerServiceDownTests {
  private let app = Pond("app")
  private let crash = Gate()

  @Test(arguments: [ServiceEnding.shutDown, .ignore], [0, 2])
  func itIsSeenFromOutside(_ ending: ServiceEnding, depth: Int) async throws {
    var inner = crashing(ending)
    for number in 0..<depth {
      let (middle, next) = (Pond("middle \(number)"), inner)
      middle.pebble("runs \(number)") { _ = try await next.run() }
      inner = middle
    }
    let starts = app.pebble("starts") { [inner] in _ = try await inner.run() }
    let run = try app.start()
    _ = try await run.report
    #expect(run.status.phase == .over)

    crash.open()
    try await until { run.status.phase == .failed }

    let report = try await run.report
    let path = (0..<depth).reversed().map { "runs \($0)" } + ["listener"]
    let record = try #require(report.record(of: starts))
    #expect(record.servicesDownInside.map(\.path) == [path])
    #expect(report.exitCode == 1)
    #expect(report.unhandledFailures.map(\.name) == ["starts"])
    let text = path.map(\.swiftName).joined(separator: "/")
    let clause = "\(text) inside it ended without having been asked to: port is gone"
    #expect(record.explanation.hasSuffix("succeeded, but \(clause)"))
    #expect("\(report)".contains(", 1 service down") && "\(report)".contains(clause))
    try await run.shutdown().check()
    #expect(run.status.phase == .failed)
  }

  @Test func alsoInsideOfAServiceThatGoesOn() async throws {
    let inner = crashing(.shutDown)
    app.service("server") { ready in
      ready()
      _ = try await inner.start().report
      await ready.stopRequested()
    }
    let run = try app.start()
    _ = try await run.report
    crash.open()

    try await until { run.status.phase == .failed }

    try await run.shutdown().check()
    #expect(try await run.report.exitCode == 1)
  }

  @Test func thatOfAnAttemptThatHasFailedIsPartOfThatFailure() async throws {
    let inner = crashing(.shutDown)
    app.pebble("part", .retry(.attempts(2))) {
      guard PebbleContext.current?.attempt == 1 else { return }
      let run = try inner.start()
      crash.open()
      try await run.reportAfterShutdown().check()
    }
    let run = try app.start()

    let report = try await run.report

    #expect(report.records[0].attempts.count == 2)
    #expect(report.records[0].servicesDownInside.isEmpty)
    #expect(report.exitCode == 0)
    try await run.shutdown().check()
  }

  @Test func thatOfACallThatIsRestartedIsPartOfItsEnd() async throws {
    let inner = crashing(.shutDown)
    app.service("server", .ending(.restart(.attempts(2)))) { ready in
      ready()
      guard PebbleContext.current?.attempt == 1 else { return await ready.stopRequested() }
      try await inner.start().reportAfterShutdown().check()
    }
    let run = try app.start()
    let report = try await run.report
    crash.open()
    try await until { report.records[0].restartCount == 1 }

    #expect(run.status.phase == .over)
    try await run.shutdown().check()
    #expect(report.exitCode == 0)
  }

  @Test func thatOfARunThatATeardownHasStartedIsNoneOfThePebble() async throws {
    let inner = crashing(.ignore)
    app.pebble(
      "part",
      teardown: { [crash] in
        let report = try await inner.run()
        crash.open()
        try await until { report.records[0].isServiceDown }
      }
    ) {}
    let run = try app.start()
    let report = try await run.report

    try await run.shutdown()

    #expect(report.records[0].servicesDownInside.isEmpty)
    #expect(report.unhandledFailures.isEmpty)
  }

  @Test func thatOfADetachedRunIsNobodysFailure() async throws {
    let inner = crashing(.shutDown)
    let starts = app.pebble("starts") { try inner.start(detached: true) }
    let run = try app.start()
    let innerRun = try #require(try await run.report[starts])
    crash.open()

    #expect(try await innerRun.reportAfterShutdown().exitCode == 1)

    #expect(try await run.report.exitCode == 0)
    try await run.shutdown().check()
  }

  private func crashing(_ ending: ServiceEnding) -> Pond {
    let pond = Pond("inner")
    pond.service("listener", .ending(ending)) { [crash] ready in
      ready()
      await crash.passed()
      throw Breakdown("port is gone")
    }
    return pond
  }
}
