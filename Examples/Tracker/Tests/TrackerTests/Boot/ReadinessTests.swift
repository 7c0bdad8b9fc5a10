import AsyncHTTPClient
import InMemoryTracing
import NIOCore
import Pebbles
import PebblesServer
import People
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests that the tracker can become ready, or shut down, before the people have been generated.
@Suite struct ReadinessTests {
  let folder: Folder

  init() throws {
    folder = try Folder()
  }

  /// Returns a boot on a free port, with the data bundled with the package.
  func boot(
    around: @escaping Around = untouched,
    people make: @escaping @Sendable (Int) async throws -> People
  ) -> Boot {
    let database = folder.file("tracker.sqlite")
    return Boot(limits: .patient, logger: quiet, around: around, people: make) {
      var settings = Settings()
      settings.port = 0
      settings.database = database
      settings.people = 10
      return settings
    }
  }

  @Test func theTrackerIsReadyBeforeThePeopleAre() async throws {
    let prepared = Gate()
    let boot = boot { count in
      await prepared.passed()
      return try People(generating: count, seed: 1)
    }
    let run = try boot.pond.start()
    #expect(try await run.report.exitCode == 0)
    let address = "http://127.0.0.1:\(try #require(boot.site.port))"

    #expect(try await status(address + "/health/ready") == 200)
    #expect(try await status(address + "/launches") == 200)
    #expect(try await status(address + "/people") == 503)

    prepared.open()
    while !boot.site.people.isOpen { await Task.yield() }
    #expect(try await status(address + "/people") == 200)
    try await run.shutdown().check()
    #expect(try await run.reportAfterShutdown().exitCode == 0)
  }

  func status(_ address: String) async throws -> UInt {
    let response = try await HTTPClient.shared.execute(
      HTTPClientRequest(url: address), timeout: .hours(1))
    _ = try await response.body.collect(upTo: 1 << 20)
    return response.status.code
  }

  @Test func aShutdownDoesNotWaitForPeople() async throws {
    let begun = Gate()
    let boot = boot { _ in
      begun.open()
      while !Task.isCancelled { await Task.yield() }
      throw CancellationError()
    }
    let run = try boot.pond.start()
    await begun.passed()

    try await run.shutdown().check()

    #expect(!boot.site.people.isOpen)
    #expect(try await run.reportAfterShutdown().exitCode == 0)
  }

  /// Checks that later work is not part of the boot's trace, which would otherwise grow for as long
  /// as the tracker runs.
  @Test func whatComesAfterTheBootHasSpansOfItsOwn() async throws {
    let tracer = InMemoryTracer()
    let boot = boot(around: attemptSpans(of: tracer)) { try People(generating: $0, seed: 1) }
    let run = try boot.pond.start()
    #expect(try await run.report.exitCode == 0)

    boot.site.wish(for: .refresh)

    let names: Set = ["makePeople", "refresh"]
    while !names.isSubset(of: tracer.finishedSpans.map(\.operationName)) { await Task.yield() }
    for span in tracer.finishedSpans where names.contains(span.operationName) {
      #expect(span.parentSpanID == nil, "\(span.operationName)")
    }
    try await run.shutdown().check()
  }

  @Test func peopleWhoCannotBeMadeAreAFailureThatIsTold() async throws {
    struct Refused: Error {}
    let boot = boot { _ in throw Refused() }
    let run = try boot.pond.start()

    let report = try await run.reportAfterShutdown()

    #expect(report.exitCode == 1)
    #expect("\(report)".contains("Refused"), "\(report)")
  }
}
