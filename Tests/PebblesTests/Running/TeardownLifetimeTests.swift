import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct TeardownLifetimeTests {
  @Test func outputsGoAwayWithTheRunAndItsReport() async throws {
    weak var output: Captured?
    let pond = Pond("pond")
    do {
      let pebble = pond.pebble("pebble", teardown: { _ in }) { () async -> Captured in Captured() }
      let run = try pond.start()
      let report = try await run.report
      output = report[pebble]
      #expect(output != nil)
      try await run.shutdown().check()
      #expect(report[pebble] != nil)
    }

    // The task of the last runner may have some more steps to go.
    try await until { output == nil }
  }

  @Test func theReportOfAShutdownKeepsNoOutput() async throws {
    weak var output: Captured?
    var shutdown: ShutdownReport?
    let pond = Pond("pond")
    do {
      let pebble = pond.pebble("pebble", teardown: { _ in }) { () async -> Captured in Captured() }
      let run = try pond.start()
      output = try await run.report[pebble]
      shutdown = try await run.shutdown()
    }

    try await until { output == nil }
    #expect(shutdown?.records.count == 1)
  }

  @Test func bodiesAndTeardownsGoAwayWithPondAndRun() async throws {
    weak var captured: Captured?
    weak var definition: PondDefinition?
    do {
      let pond = Pond("pond")
      let witness = Captured()
      (captured, definition) = (witness, pond.definition)
      let database = pond.pebble("database", teardown: { _ = witness }) {}
      pond.service("server", when: database.succeeded, teardown: { _ = (witness, database.name) }) {
        ready in
        ready()
        try? await untilCancelled()
        _ = witness
      }
      let run = try pond.start()
      _ = try await run.report
      try await run.shutdown().check()
    }

    try await until { captured == nil && definition == nil }
  }

  @Test func aReportKeepsNoTeardown() async throws {
    weak var captured: Captured?
    var report: Report?
    do {
      let pond = Pond("pond")
      let witness = Captured()
      captured = witness
      pond.pebble("database", teardown: { _ = witness }) {}
      let run = try pond.start()
      report = try await run.report
      try await run.shutdown()
    }

    try await until { captured == nil }
    #expect(report?.shutdown?.records.count == 1)
  }

  @Test func aRunThatABodyReturnsIsNoRetainCycle() async throws {
    weak var output: Captured?
    do {
      let (outer, inner) = (Pond("outer"), Pond("inner"))
      inner.pebble("inside") {}
      let starts = outer.pebble("starts", teardown: { (run: Run) in try await run.shutdown() }) {
        try inner.start()
      }
      let pebble = outer.pebble("pebble") { () async -> Captured in Captured() }
      let report = try await outer.run()
      output = report[pebble]
      _ = try await report[starts]?.report
    }

    try await until { output == nil }
  }

  @Test func aRunThatNobodyShutsDownGoesAway() async throws {
    weak var captured: Captured?
    do {
      let pond = Pond("pond")
      let witness = Captured()
      captured = witness
      pond.pebble("database", teardown: { _ = witness }) {}
      _ = try await pond.run()
    }

    try await until { captured == nil }
  }
}
