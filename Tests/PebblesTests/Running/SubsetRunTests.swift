import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of runs that are limited to some pebbles.
@Suite(.watched) struct SubsetRunTests {
  private let pond = Pond("up")
  private let journal = Logbook<String>()

  private func pebble(
    _ name: String, _ traits: PebbleTrait..., when condition: Condition = .always
  ) -> Pebble<Void> {
    pond.pebble(name, .traits(traits), when: condition) { [journal] in journal.note(name) }
  }

  @Test func aRunIsOfWhatItIsAskedForAndOfAllThatThisNeeds() async throws {
    let database = pebble("database")
    let cache = pebble("cache")
    let migrate = pebble("migrate", when: database.succeeded)
    let web = pebble("web", when: migrate.succeeded && !cache.failed)
    let metrics = pebble("metrics", when: database.succeeded)
    let mail = pebble("mail", when: web.succeeded)

    let report = try await pond.run(only: [web])

    #expect(Set(journal.entries) == ["database", "cache", "migrate", "web"])
    #expect(try pond.subset(for: [web]) == ["database", "cache", "migrate", "web"])
    for pebble in [metrics, mail] {
      #expect(report.outcome(of: pebble).skipReason == .notAskedFor)
      let record = try #require(report.record(of: pebble))
      #expect(record.skipKind == .notAskedFor)
      #expect(record.explanation.hasSuffix("was skipped: it was not asked for in this run"))
    }
    #expect(report.exitCode == 0)
    #expect(report.dot().contains("not asked for"))
    #expect(try pond.subset(for: [metrics, mail]) == Array(pond.program().pond.graph.names))
  }

  @Test func inputsAndCasesAndCyclesAreNeeded() throws {
    let number = pond.pebble("number") { 1 }
    let even = number.succeeded("even") { $0.isMultiple(of: 2) }
    let half = pond.pebble("half", needs: number) { $0 / 2 }
    let shown = pond.pebble("shown", needs: [half]) { _ in }
    let asked = pond.pebble("asked", when: even) {}
    let one = pond.pebble("one") {}
    let other = pond.pebble("other", when: one.succeeded) {}
    one.ready = other.succeeded || shown.failed

    #expect(try pond.subset(for: [shown]) == ["number", "half", "shown"])
    #expect(try pond.subset(for: [asked]) == ["number", "asked"])
    #expect(try pond.subset(for: [one]) == ["number", "half", "shown", "one", "other"])
    #expect(try pond.subset(for: []) == [])
  }

  @Test func aServiceNeedsThoseThatItRestartsWith() throws {
    let database = pond.service("database", .ending(.restart(.attempts(3)))) { ready in ready() }
    let web = pond.service("web", .restartsWith(database)) { ready in ready() }

    #expect(try pond.subset(for: [web]) == ["database", "web"])
  }

  @Test func whatIsNotAskedForIsNotAskedWhetherItIsEnabled() async throws {
    let telemetry = pebble(
      "telemetry",
      .enabled { [journal] in
        journal.note("asked"); return true
      })
    let web = pebble("web")

    let report = try await pond.run(only: [web])

    #expect(journal.entries == ["web"])
    #expect(report.outcome(of: telemetry).skipReason == .notAskedFor)
    _ = try await pond.run(only: [telemetry])
    #expect(journal.entries == ["web", "asked", "telemetry"])
  }

  @Test func theGoalIsAskedForOnlyIfAllThatItMentionsIsIn() async throws {
    let fetch = pond.pebble("fetch") { throw Breakdown() }
    let publish = pebble("publish", when: fetch.succeeded)
    let roll = pebble("roll back", when: fetch.failed)
    pond.goal = publish.succeeded

    let part = try await pond.run(only: [roll])
    let whole = try await pond.run(only: [publish, roll])

    #expect(part.isGoalReached == nil)
    #expect(part.missedGoal == nil)
    #expect(part.exitCode == 0)
    #expect(whole.isGoalReached == false)
    #expect(whole.exitCode == 1)
  }

  @Test func aFailureWhoseHandlerIsLeftOutIsNotHandled() async throws {
    let pond = Pond("strict", onFailure: .cancelAll)
    let fetch = pond.pebble("fetch") { throw Breakdown() }
    pond.pebble("repair", when: fetch.failed) {}
    let last = pond.pebble("last", when: fetch.completed) {}

    #expect(try await !pond.run().isCancelled)
    #expect(try await !pond.run(only: [last]).isCancelled)
    #expect(try await pond.run(only: [fetch]).isCancelled)
  }

  @Test func limitsHoldAndServicesAreShutDown() async throws {
    let pond = Pond("services", maxConcurrent: 1)
    let database = pond.service("database") { [journal] ready in
      journal.note("database")
      ready()
      await ready.stopRequested()
      journal.note("database stopped")
    }
    let web = pond.service("web", when: database.succeeded) { [journal] ready in
      journal.note("web")
      ready()
      await ready.stopRequested()
    }
    pond.service("other") { [journal] ready in
      journal.note("other")
      ready()
      await ready.stopRequested()
    }

    let run = try pond.start(only: [web])
    #expect(try await run.report.failures.isEmpty)
    try await run.shutdown().check()

    #expect(journal.entries == ["database", "web", "database stopped"])
  }

  @Test func clustersAreAskedForByTheNamesOfTheirPebbles() async throws {
    let cache = Pond("cache")
    let open = cache.pebble("open") {}
    cache.pebble("fill", when: open.succeeded) {}
    for name in ["a", "b"] { pond.add(cache, as: name) }

    let report = try await pond.run(only: [PebbleID.named("b/fill")])

    #expect(report.records.filter(\.outcome.isSucceeded).map(\.name) == ["b/open", "b/fill"])
  }

  @Test func whatIsNotThereIsNamedAndNothingStarts() async throws {
    let web = pebble("web")
    let other = Pond("other").pebble("else") {}

    let error = await #expect(throws: PondError.self) {
      try await pond.run(only: [PebbleID.named("wbe"), web, other])
    }
    let text = error?.description ?? ""
    #expect(
      text.contains("the run is limited to an unknown pebble: no pebble is named \"wbe\""))
    #expect(text.contains("\"else\" is a pebble of the pond \"other\", not of this one"))
    #expect(throws: PondError.self) { try pond.start(only: []) }
    #expect(throws: UnknownPebbleError.self) { try pond.subset(for: [other]) }
    #expect(journal.entries == [])
  }
}
