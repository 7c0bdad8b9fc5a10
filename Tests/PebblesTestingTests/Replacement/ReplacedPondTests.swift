import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests that replacing a body creates a separate pond, whose pebbles can be identified by the
/// handles of the original.
@Suite(.watched) struct ReplacedPondTests {
  private let pond = Pond("cache", maxConcurrent: 1)
  private let open: Pebble<String>
  private let load: Pebble<String>

  init() {
    open = pond.pebble("open") { "real" }
    load = pond.pebble("load", needs: open) { "entries of \($0)" }
  }

  @Test func aCopyTakenIntoItsOriginalReadsWhatTheOriginalGotLater() async throws {
    let copy = try pond.replacing(open) { "fake" }
    let later = pond.pebble("later") { 42 }
    let plain = copy.pebble("plain", needs: later) { $0 + 1 }
    let optional = copy.pebble("optional", needs: later.optional) { $0 }

    let cluster = pond.add(copy, as: "copy")
    let report = try await pond.run()

    #expect(report[cluster[plain]] == 43)
    #expect(report[cluster[optional]] == 42)
    #expect(report[cluster[load]] == "entries of fake")
  }

  @Test func changesOfOneAreNotSeenByTheOther() async throws {
    let replaced = try pond.replacing(open) { "fake" }

    let probe = replaced.pebble("probe", needs: load, when: open.succeeded) { "saw \($0)" }
    let other = pond.pebble("other") { 1 }
    load.ready = .never
    let (report, original) = (try await replaced.run(), try await pond.run())

    #expect(report[probe] == "saw entries of fake")
    #expect(report.outcome(of: other).skipReason == .notInRun)
    #expect(original.outcome(of: probe).skipReason == .notInRun)
    #expect(original[other] == 1 && original.skipped(load))
    #expect(original.records.count == 3 && report.records.count == 3)
  }

  @Test func theCopyOutlivesTheOriginal() async throws {
    func replaced() throws -> (Pond, Pebble<String>) {
      let pond = Pond("short")
      let open = pond.pebble("open") { "real" }
      let load = pond.pebble("load", needs: open) { "entries of \($0)" }
      return (try pond.replacing(open) { "fake" }, load)
    }

    let (pond, load) = try replaced()

    #expect(try await pond.run()[load] == "entries of fake")
  }

  @Test func nothingIsKeptOfTheOldBodyOrTheNewOne() async throws {
    weak var old: Captured?
    weak var new: Captured?
    do {
      let (pond, first, second) = (Pond("short"), Captured(), Captured())
      (old, new) = (first, second)
      let open = pond.pebble("open") { first.isThere }
      let replaced = try pond.replacing(open) { [open] in second.isThere && open.name == "open" }
      #expect(try await replaced.run()[open] == true)
    }

    try await until { old == nil && new == nil }
  }

  @Test func whatIsAskedOfPondsIsAskedOfTheCopy() async throws {
    let replaced = try pond.replacing(open) { "fake" }
    let scenarios = try replaced.scenarios()

    #expect(scenarios.runs(load) == .sometimes)
    #expect(try scenarios.ending(failing: [open]).outcome(of: load) == .skipped)
    #expect(try scenarios.check(.implies(open.failed, load.skipped)).isKept)
    #expect(try replaced.model().position(of: load) == 1)
    #expect(try replaced.why(load, given: [.fails(open)]) == pond.why(load, given: [.fails(open)]))
    let report = try await replaced.run()
    #expect(try report.holds(load.succeeded && open.succeeded))
    #expect(report.why(load).sentence == "load succeeded, having started because open succeeded")
    #expect(report.recorded().outcome(of: load) == .succeeded)
  }

  @Test func theCopyIsSimulatedAndExplored() async throws {
    let replaced = try pond.replacing(open) { "fake" }

    let report = try await replaced.simulate(failing: [open])
    try report.expectSkipped(load, becauseOf: open)
    let exploration = try await explore(
      replaced, schedules: .exhaustive(), laws: [.implies(open.succeeded, load.succeeded)])

    #expect(exploration.isComplete)
  }

  @Test func aPebbleInAClusterIsReplacedThroughIt() async throws {
    let boot = Pond("boot")
    let own = boot.pebble("own") { 1 }
    let cluster = boot.add(pond, as: "cache")
    let show = boot.pebble("show", needs: cluster[load], own) { "\($0) \($1)" }

    let replaced = try boot.replacing(cluster[open]) { "fake" }
      .replacing(cluster[load], needs: cluster[open]) { "fakes of \($0)" }
    let report = try await replaced.run()

    #expect(report[show] == "fakes of fake 1")
    #expect(report[cluster[open]] == "fake")
    #expect(try await boot.run()[show] == "entries of real 1")
    #expect(throws: UnknownPebbleError.self) { try boot.replacing(open) { "fake" } }
  }

  @Test func aCopyMayBeTakenInAsACluster() async throws {
    let boot = Pond("boot")
    boot.pebble("first") {}
    let inner = Pond("inner")
    let number = inner.pebble("number") { 7 }
    let within = pond.add(inner, as: "inner")
    let sum = pond.pebble("sum", needs: within[number], load) { "\($1) and \($0)" }

    let replaced = try pond.replacing(open) { "fake" }
    let late = pond.pebble("late") {}
    let cluster = boot.add(replaced, as: "cache")
    let outer = Pond("outer")
    outer.pebble("first") {}
    let outmost = outer.add(try boot.replacing(cluster[within][number]) { 8 }, as: "boot")

    let report = try await boot.run()
    #expect(report[cluster[sum]] == "entries of fake and 7")
    #expect(cluster[within].name == "cache/inner")
    #expect(cluster[late] == late)
    let outerReport = try await outer.run()
    #expect(outerReport[outmost[cluster[sum]]] == "entries of fake and 8")
    #expect(outerReport.isAllSucceeded)
  }

  @Test func aServiceIsReadyWhenItsNewBodyHasReturned() async throws {
    let calls = Logbook<String>()
    let database = pond.service("database", teardown: { calls.note("real teardown") }) { ready in
      calls.note("real")
      ready()
    }
    let migrate = pond.pebble("migrate", when: database.succeeded) { calls.note("migrate") }
    let replaced = try pond.replacing(database, teardown: { calls.note("fake teardown") }) {
      calls.note("fake")
    }

    let run = try replaced.start()
    let report = try await run.report
    #expect(run.status.running.map(\.name) == ["database"])
    try await run.shutdown()

    #expect(report.succeeded(migrate))
    #expect(calls.entries == ["fake", "migrate", "fake teardown"])
    #expect(try await pond.replacing(database) { throw Breakdown() }.run().skipped(migrate))
  }

  @Test func aServiceMayHaveAnotherBodyThatSaysWhenItIsReady() async throws {
    let database = pond.service("database", .ending(.ignore)) { ready in ready() }
    let replaced = try pond.replacing(database) { ready in
      ready()
      throw Breakdown()
    }

    let run = try replaced.start()
    let report = try await run.report
    for await event in run.events { _ = event }

    #expect(report.succeeded(database))
    #expect(report.record(of: database)?.serviceEnd?.error is Breakdown)
  }

  @Test func whatIsNoServiceIsGivenNoBodyOfOne() {
    let ping = pond.pebble("ping") { complete in complete(true) }

    let noService = #expect(throws: PondError.self) {
      try pond.replacing(ping, service: { _ in })
    }

    #expect(
      noService?.faults.map(\.description)
        == ["\"ping\" is not a service; replace its body with one that takes nothing"])
  }

  @Test func aCopyWithAnotherBodyHasPartsToo() throws {
    let pond = Pond("parts")
    let first = pond.pebble("first") { 1 }
    _ = pond.pebble("other") {}
    let last = pond.pebble("last", needs: first) { _ in }

    let part = try pond.replacing(first) { 2 }.scenarios(only: [last])

    #expect(part.model.position(of: last) == 1)
    #expect(part.runs(last) == .sometimes)
    #expect(try part.check(.always(last.completed || first.failed)).isKept)
  }
}
