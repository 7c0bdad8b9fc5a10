import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ClusterOptionTests {
  /// Returns a closure to run around bodies. It records the beginning and the end of each body.
  private static func noting(_ name: String, _ journal: Logbook<String>) -> Around {
    { context, body in
      journal.note("\(name)(\(context.pebble)")
      try await body()
      journal.note(")")
    }
  }

  @Test func layersStayAroundTheirOwnPebblesInsideOfThoseOfThePond() async throws {
    let journal = Logbook<String>()
    let inner = Pond("inner", around: Self.noting("inner", journal))
    let plain = inner.pebble("plain") { journal.note("body") }
    let middle = Pond("middle", around: Self.noting("m1", journal), Self.noting("m2", journal))
    let nested = middle.add(inner, as: "inner")
    let boot = Pond("boot", around: Self.noting("boot", journal))
    let cluster = boot.add(middle, as: "middle")
    boot.pebble("own", when: cluster[nested[plain]].succeeded) { journal.note("own") }

    let report = try await boot.run()

    #expect(report.isAllSucceeded)
    let name = "(middle/inner/plain"
    #expect(
      journal.entries == [
        "boot\(name)", "m1\(name)", "m2\(name)", "inner\(name)", "body", ")", ")", ")", ")",
        "boot(own", "own", ")",
      ])
  }

  @Test func layersStayAroundAServiceOfAClusterInsideOfACluster() async throws {
    let journal = Logbook<String>()
    let inner = Pond("inner", around: Self.noting("inner", journal))
    inner.service("server") { ready in
      journal.note("body")
      ready()
      await ready.stopRequested()
    }
    let middle = Pond("middle", around: Self.noting("middle", journal))
    middle.add(inner, as: "inner")
    let boot = Pond("boot", around: Self.noting("boot", journal))
    boot.add(middle, as: "middle")
    let run = try boot.start()
    _ = try await run.report

    try await run.shutdown().check()

    let name = "(middle/inner/server"
    #expect(
      journal.entries == ["boot\(name)", "middle\(name)", "inner\(name)", "body", ")", ")", ")"])
  }

  @Test func layersKeepTheOptionsOfThePebble() async throws {
    let journal = Logbook<String>()
    let other = Pond("other", around: Self.noting("around", journal))
    let attempts = Attempts(failing: 2)
    let shaky = other.pebble("shaky", .retry(.attempts(3))) { try attempts.next() }
    let off = other.pebble("off", .enabled { false }) {}
    let boot = Pond("boot")
    let cluster = boot.add(other, as: "other")

    let report = try await boot.run()

    #expect(report[cluster[shaky]] == 3)
    #expect(report.record(of: cluster[shaky])?.attempts.count == 3)
    #expect(report.outcome(of: cluster[off]).skipReason == .disabled)
    #expect(journal.entries.filter { $0 == "around(other/shaky" }.count == 3)
  }

  @Test func aTeardownGetsTheOutputOfTheCopy() async throws {
    let journal = Logbook<String>()
    let other = Pond("other")
    let name = other.pebble("name") { "connection" }
    other.pebble("open", needs: name, teardown: { journal.note("closed \($0)") }) { $0 }
    other.service("server", teardown: { journal.note("stopped") }) { ready in
      ready()
      // Ends with the task only.
      for await _ in AsyncStream<Never>.makeStream().stream {}
    }
    let boot = Pond("boot")
    boot.pebble("in front") {}
    boot.add(other, as: "one")
    boot.add(other, as: "two")

    let run = try boot.start()
    let report = try await run.report
    let shutdown = try await run.shutdown()

    #expect(report.isAllSucceeded)
    #expect(shutdown.failures.isEmpty)
    #expect(
      journal.entries.sorted() == [
        "closed connection", "closed connection", "stopped", "stopped",
      ])
  }

  @Test func aPebbleThatWaitsForAResourceDoesNotHoldItsClusterBack() async throws {
    let gate = Gate()
    let boot = Pond("boot")
    boot.pebble("holds", .exclusive("database")) { await gate.passed() }
    let other = Pond("other", maxConcurrent: 1)
    other.pebble("waits", .exclusive("database")) {}
    other.pebble("goes on") { gate.open() }
    boot.add(other, as: "other")

    let report = try await boot.run()

    #expect(report.isAllSucceeded)
  }

  @Test func theLimitOfAPondHoldsForItsCluster() async throws {
    let (innermost, middlemost) = (Occupancy(), Occupancy())
    let inner = Pond("inner", maxConcurrent: 1)
    add(innermost, to: inner)
    let middle = Pond("middle", maxConcurrent: 2)
    add(middlemost, to: middle)
    middle.add(inner, as: "inner")
    let boot = Pond("boot")
    boot.add(middle, as: "middle")
    // Not limited: all of them are under way at once.
    let meeting = Meeting(of: 8)
    for number in 0..<8 { boot.pebble("free\(number)") { await meeting.attend() } }

    let report = try await boot.run()

    #expect(report.isAllSucceeded)
    #expect(innermost.maximum == 1)
    #expect(middlemost.maximum <= 2)
  }

  @Test func twoCopiesHaveALimitEach() async throws {
    let meeting = Meeting(of: 2)
    let other = Pond("other", maxConcurrent: 1)
    other.pebble("meets") { await meeting.attend() }
    let middle = Pond("middle")
    middle.add(other, as: "other")
    let boot = Pond("boot")
    boot.add(middle, as: "left")
    boot.add(middle, as: "right")

    #expect(try await boot.run().isAllSucceeded)
  }

  @Test func keysAndResourcesAreSharedInTheWholeRun() async throws {
    let occupancy = Occupancy()
    let other = Pond("other")
    add(occupancy, to: other, .exclusive("database"))
    let boot = Pond("boot")
    boot.add(other, as: "one")
    boot.add(other, as: "two")
    add(occupancy, to: boot, .exclusive("database"))

    #expect(try await boot.run().isAllSucceeded)
    #expect(occupancy.maximum == 1)
  }

  @Test func theOuterPondDecidesWhatAFailureMeans() async throws {
    let other = Pond("other", onFailure: .cancelAll)
    let bad = other.pebble("bad") { throw Breakdown() }
    let gentle = Pond("gentle")
    let kept = gentle.add(other, as: "other")
    let last = gentle.pebble("last", when: kept[bad].settled && !kept[bad].succeeded) {}
    let strict = Pond("strict", onFailure: .cancelAll)
    strict.add(other, as: "other")
    let waits = strict.pebble("waits", when: strict.pebble("never", when: .never) {}.succeeded) {}

    #expect(try await gentle.run().outcome(of: last).isSucceeded)
    let report = try await strict.run()
    #expect(report.isCancelled)
    #expect(report.outcome(of: waits).isSkipped)
  }

  private func add(_ occupancy: Occupancy, to pond: Pond, _ trait: PebbleTrait = .traits()) {
    for number in 0..<10 {
      pond.pebble("busy\(number)", trait) { await occupancy.visit() }
    }
  }
}
