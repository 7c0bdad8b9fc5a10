import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Synchronization
import Testing

@testable import pond

private enum StoreError: Error, CustomStringConvertible {
  case locked, full

  var description: String { self == .locked ? "it is locked" : "the disk is full" }
}

private enum Side: CaseIterable {
  case heads, tails
}

/// Tests of the answers of commands about cases and goals.
@Suite(.watched) struct CaseCommandTests {
  private static let sketch = """
    {"name": "boot", "goal": "home.completed || showUnlock.completed", "pebbles": [
      {"name": "database"},
      {"name": "home", "when": "database.succeeded"},
      {"name": "showUnlock", "when": "database.failed(\\"locked\\")"}]}
    """

  private func session() async throws -> Session {
    let boot = Pond("boot")
    let database = boot.pebble("database") { throw StoreError.full }
    let locked = database.failed("locked") { $0 as? StoreError == .locked }
    let showUnlock = boot.pebble("showUnlock", when: locked) {}
    let flip = boot.pebble("flip") { Side.tails }
    boot.pebble("won", when: flip.is(.heads)) {}
    boot.goal = showUnlock.completed || database.succeeded
    let run = try await boot.run().recorded()
    return Session(["run.json": run.jsonBytes(), "boot.json": Array(Self.sketch.utf8)])
  }

  @Test func aRunThatMissedItsGoalIsShownLikeThat() async throws {
    let session = try await session()

    let output = session.run("show run.json").output
    #expect(output.contains("\nthe goal was not reached: it needs "))
    #expect(output.contains("with tails"))
    #expect(session.run("check run.json").status == 1)
  }

  @Test func twoRunsThatDifferInACaseOrTheGoalAreToldApart() async throws {
    let pond = Pond("nightly")
    let flip = pond.pebble("flip") { Mutable.side.withLock { $0 } }
    pond.goal = flip.is(.heads)
    let before = try await pond.run().recorded()
    Mutable.side.withLock { $0 = .tails }
    let after = try await pond.run().recorded()
    let session = Session(["before.json": before.jsonBytes(), "after.json": after.jsonBytes()])

    let result = session.run("compare before.json after.json --slower 1000000")

    #expect(
      result.output.contains("\n  flip: succeeded with heads in "))
    #expect(
      result.output.contains(
        "\nthe goal was not reached: it needs flip to succeed with heads, but flip succeeded with "
          + "tails; it was reached before\n"))
    #expect(result.status == 1)
    #expect(session.run("compare after.json after.json").status == 0)
  }

  private enum Mutable {
    static let side = Mutex(Side.heads)
  }

  @Test func whatIfTellsWhatACaseChanges() async throws {
    let session = try await session()

    let result = session.run("whatif run.json --fail database=locked")

    #expect(
      result.output == """
        2 pebbles would end otherwise
          ✗ database    failed before, now fails as locked
          ✓ showUnlock  not needed before, now succeeds
        the goal would be reached

        """)
    #expect(
      session.run("whatif run.json --succeed flip=heads").output.contains(
        "flip  succeeded with tails before, now succeeds with heads"))
    #expect(
      session.run("why boot.json showUnlock --fail database=locked").output
        == "showUnlock succeeded\n└─ because database failed as locked: assumed\n")
  }

  @Test func namesMayBeginWithACombiningMark() throws {
    let pond = Pond("boot")
    let database = pond.pebble("\u{301}db") {}
    pond.pebble("show", when: database.failed("\u{301}x") { _ in true }) {}
    let session = Session(["boot.json": try pond.model().jsonBytes()])

    let result = session.run("why boot.json show --fail=\u{301}db=\u{301}x")

    #expect(result.output.hasPrefix("show succeeded\n"), "\(result.error)")
  }

  @Test func aCaseThatIsNotThereIsToldWithTheNextBest() async throws {
    let session = try await session()

    #expect(
      session.run("whatif run.json --fail database=lokced").error.contains(
        #"database has no case of failed "lokced"; did you mean "locked"?"#))
    #expect(
      session.run("whatif run.json --succeed flip=edge").error.contains(
        #"flip has no case of succeeded "edge""#))
    #expect(
      session.run("whatif run.json --succeed =heads").error.contains(
        #""=heads" has no name of a pebble before the ="#))
    #expect(
      session.run("whatif run.json --fail flip --succeed flip=heads").error
        .contains("contradict each other"))
  }

  @Test func endingsAndLawsKnowTheGoal() async throws {
    let session = try await session()

    let endings = session.run("endings boot.json").output
    #expect(endings.hasPrefix("boot: 5 endings\nthe goal is reached in 4 of 5 endings; "))
    #expect(endings.contains("\n  ✓ nothing fails   ○ showUnlock\n"))
    #expect(endings.contains("\n  ✗ database as locked   ⊘ home\n"))
    let laws = session.run("laws boot.json")
    #expect(
      laws.output.hasPrefix(
        "the goal: home.completed || showUnlock.completed\nreached in 4 of 5 endings; "))
    #expect(laws.status == 0)
    #expect(
      session.run("show boot.json").output.hasSuffix(
        "goal: home.completed || showUnlock.completed\n"))
  }

  @Test func aGoalThatNoRunReachesIsAWarning() {
    let text = Self.sketch.replacing(
      "home.completed || showUnlock.completed", with: "home.completed && showUnlock.completed")
    let result = Session(["boot.json": Array(text.utf8)]).run("lint boot.json")

    #expect(result.output.contains("warning: no run reaches the goal: "))
    #expect(result.status == 1)
  }
}
