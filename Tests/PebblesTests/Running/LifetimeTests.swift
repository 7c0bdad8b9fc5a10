import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that everything held by a run is released with its report. The release can be slightly
/// later, because the tasks of its runners may not have ended yet.
@Suite(.watched) struct LifetimeTests {
  @Test func aPondGoesAwayWithItsLastReference() {
    weak var seen: Pond?
    do {
      let pond = Pond("pond")
      pond.pebble("pebble") {}
      seen = pond
      #expect(seen != nil)
    }

    #expect(seen == nil)
  }

  @Test func whatARefreshProducedGoesAwayWithItsReport() async throws {
    weak var output: Captured?
    let pond = Pond("pond")
    let pebble = pond.pebble("pebble") { () async -> Captured in Captured() }

    do { output = try await pond.refresh()[pebble] }

    try await until { output == nil }
  }

  @Test func aHandleDoesNotKeepItsPondOrItsBodiesAlive() {
    weak var body: Captured?
    let handle: Pebble<Void>
    do {
      let pond = Pond("pond")
      let captured = Captured()
      body = captured
      handle = pond.pebble("pebble") { _ = captured }
    }

    #expect(body == nil)
    #expect(handle.name == "pebble")
  }

  @Test func aBodyThatCapturesHandlesOfItsPondIsNoRetainCycle() async throws {
    weak var seen: Pond?
    weak var body: Captured?
    weak var definition: PondDefinition?
    do {
      let pond = Pond("pond")
      let captured = Captured()
      (seen, body, definition) = (pond, captured, pond.definition)
      let first = pond.pebble("first") {}
      let second = pond.pebble("second", when: first.succeeded) { _ = (captured, first.name) }
      second.ready = first.succeeded && !second.failed.labeled("itself")
      _ = pond.dot()
      let report = try await pond.run()
      #expect(report.record(of: second)?.explanation.isEmpty == false)
    }

    try await until { seen == nil }
    try await until { body == nil }
    try await until { definition == nil }
  }

  @Test func whatIsAroundBodiesGoesAwayWithThePondAlthoughAReportStays() async throws {
    weak var seen: Captured?
    weak var policy: Captured?
    let report: Report
    do {
      let (layer, judge) = (Captured(), Captured())
      (seen, policy) = (layer, judge)
      let pond = Pond(
        "pond", onFailure: .custom { _ in judge.isThere ? .goOn : .cancelAll },
        around: { _, body in
          _ = layer
          try await body()
        })
      pond.pebble("pebble") {}
      report = try await pond.run()
    }

    try await until { seen == nil }
    try await until { policy == nil }
    #expect(report.isAllSucceeded)
  }

  @Test func aBodyThatCapturesItsOwnPondWeaklyMayRunIt() async throws {
    weak var seen: Pond?
    do {
      let pond = Pond("pond")
      let inner = Pond("inner")
      inner.pebble("inside") {}
      pond.pebble("outer") { [weak pond] in
        #expect(pond != nil)
        _ = try await inner.run()
      }
      seen = pond
      let report = try await pond.run()
      #expect(report.isAllSucceeded)
    }

    try await until { seen == nil }
  }

  @Test func outputsAndErrorsGoAwayWithTheReport() async throws {
    struct Bearer: Error {
      let captured: Captured
    }
    weak var output: Captured?
    weak var error: Captured?
    let pond = Pond("pond")
    let good = pond.pebble("good") { () async -> Captured in Captured() }
    let bad = pond.pebble("bad") { () async throws -> Int in throw Bearer(captured: Captured()) }
    do {
      let report = try await pond.run()
      output = report[good]
      error = (report.outcome(of: bad).error as? Bearer)?.captured
      #expect(output != nil)
      #expect(error != nil)
    }

    try await until { output == nil }
    try await until { error == nil }
  }
}
