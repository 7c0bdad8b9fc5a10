import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import pond

/// Tests of the answers of commands.
@Suite(.watched) struct CommandTests {
  private let session: Session

  init() throws {
    session = try Session.withSamples()
  }

  @Test func aRunIsShownWithWhatWentWrongFirst() {
    let result = session.run("show run.json")

    #expect(
      result.output == """
        boot: ✗ 1 failed, ⊘ 2 blocked, ✓ 3 succeeded in 30.0 ms

        ✗ failed   started      took
          ping        0 ns   5.00 ms   no route; handled

        ⊘ blocked
          login was blocked: it needs ping to succeed, but ping failed
          store was blocked: it needs login to succeed, but login was blocked

        ✓ succeeded      started      took
          "load cores"      0 ns   20.0 ms
          show           20.0 ms   10.0 ms
          offline        5.00 ms   1.00 ms

        """)
    #expect(result.status == 0)
  }

  @Test func columnsStayApartHoweverLongARunTook() throws {
    let run = try Samples.run(.seconds(1_234_567_890), failing: false)
    let session = Session(["run.json": run.jsonBytes()])

    let result = session.run("show run.json")

    #expect(result.output.contains("\n  \"load cores\"         0 ns 1234567890 s\n"))
    #expect(result.output.contains("\n  show         1234567890 s      10.0 ms\n"))
  }

  @Test func whatARunLeftOutStaysLeftOutWhateverIsAssumed() async throws {
    let pond = Pond("up")
    let database = pond.pebble("database") {}
    let web = pond.pebble("web", when: database.succeeded) {}
    let mail = pond.pebble("mail", when: database.completed) {}
    pond.goal = mail.succeeded
    let run = try await pond.run(only: [web]).recorded()
    let session = Session(["run.json": run.jsonBytes()])

    let result = session.run("whatif run.json --fail web")

    #expect(
      result.output == """
        1 pebble would end otherwise
          ✗ web  succeeded before, now fails

        """)
    // As of the run itself, the goal is not asked of a part that has not all that it mentions.
    #expect(
      session.run("whatif run.json --fail web --json").output.contains("\"goalReached\": null"))
  }

  @Test func aPondIsShownWithItsConditions() {
    #expect(
      session.run("show -").output == """
        boot: 6 pebbles, 4 conditions
          ping
          "load cores"
          show          "load cores".succeeded
          offline       ping.failed
          login         ping.succeeded
          store         login.succeeded

        """)
    #expect(session.run("show - --most 1").output.hasSuffix("\n  ping\n  … and 5 more\n"))
  }

  @Test func whyGoesDownToTheRoot() {
    #expect(
      session.run("why run.json store").output == """
        store was blocked
        └─ needs login to succeed, but it was blocked
           └─ needs ping to succeed, but it failed: no route

        """)
    #expect(
      session.run("why - offline --fail ping").output
        == "offline succeeded\n└─ because ping failed: assumed\n")
  }

  @Test func blameAndChainSayWhereTheTimeWent() {
    let blame = session.run("blame run.json").output
    #expect(blame.hasPrefix("  20.0 ms  \"load cores\"  (on the longest chain)\n"))
    #expect(blame.hasSuffix("  1.00 ms  offline  (could have taken 24.0 ms longer)\n"))
    #expect(
      session.run("chain run.json").output == """
        longest chain: 30.0 ms of 30.0 ms
          "load cores"  20.0 ms
          show          10.0 ms

        """)
    #expect(
      session.run(["chain", "run.json", "--to", "load cores"]).output == """
        longest chain: 20.0 ms of 30.0 ms
          "load cores"  20.0 ms

        """)
    #expect(session.run("chain run.json --to nobody").status == 2)
  }

  @Test func whatIfIsAskedAboutOutcomesOrTimes() {
    #expect(
      session.run(["whatif", "run.json", "--takes", "load cores=5ms"]).output == """
        "load cores" in 5.00 ms: −15.0 ms, next bottleneck show
        30.0 ms simulated as it was, 15.0 ms with this

        """)
    #expect(
      session.run("whatif run.json --succeed ping").output == """
        4 pebbles would end otherwise
          ✓ ping     failed before, now succeeds
          ✓ login    blocked before, now succeeds
          ✓ store    blocked before, now succeeds
          ○ offline  succeeded before, now is not needed

        """)
    #expect(
      session.run("whatif run.json --fail ping").output == "every pebble would end as it did\n")
    #expect(
      session.run("whatif - --fail ping").output.hasPrefix(
        "ping          fails\nlogin         is blocked\n"))
    let nothing = session.run("whatif run.json")
    #expect(nothing.status == 2)
    for option in ["--fail", "--succeed", "--disable", "--takes", "--faster", "--workers"] {
      #expect(nothing.error.contains(option))
    }
    #expect(session.run("whatif - --workers 2").status == 2)
    #expect(session.run("whatif run.json --workers 2 --fail show").status == 2)
  }

  @Test func thePublishedBootShowsNoScreenInSomeEndingsAndTwoInOthers() {
    let result = session.run("laws boot.json --end show* --end startOovium --end invalid")

    let lines = result.output.split(separator: "\n")
    #expect(
      lines[0] == "✗ broken: exactly one of showOffline.completed, showSubscribe.completed, "
        + "showSignUp.completed, startOovium.completed, invalid.completed")
    #expect(lines[1] == "  88 of 368 endings have none of them, 232 have one, 48 have two")
    #expect(lines[3] == "    queryCloud            fails")
    #expect(result.status == 1)
  }

  @Test func withoutLawsItIsCountedHowManyEndsRun() {
    let result = session.run("laws boot.json")

    #expect(
      result.output == """
        ends, the pebbles that no other waits for:
          showOffline.completed
          showSubscribe.completed
          showSignUp.completed
          startOovium.completed
          invalid.completed
        88 of 368 endings have none of them, 232 have one, 48 have two
        not counted: otidLogin, which stands in for userLogin
        with these, 40 of 368 endings have none of them, 280 have one, 48 have two
        give --end NAME for each pebble of which exactly one should run

        """)
    #expect(result.status == 0)
    #expect(session.run("laws boot.json --json").output.contains("\"standsInFor\": \"userLogin\""))
  }

  @Test func whatCannotBothBeSoIsNotAssumed() {
    for (line, sentence) in [
      ("whatif run.json --fail ping --succeed ping", "'--fail ping' and '--succeed ping'"),
      ("whatif run.json --disable ping --succeed ping", "'--succeed ping' and '--disable ping'"),
      ("whatif run.json --fail ping --disable ping", "'--fail ping' and '--disable ping'"),
      ("whatif run.json --takes ping=1ms --takes ping=2ms", "'--takes ping=1ms' and '--takes"),
      ("whatif run.json --takes ping=1ms --faster ping=2", "'--takes ping=1ms' and '--faster"),
      ("why run.json store --fail ping --disable ping", "'--fail ping' and '--disable ping'"),
    ] {
      let result = session.run(line)
      #expect(result.status == 2, "\(line)")
      #expect(result.error.hasPrefix("pond: \(sentence)"), "\(result.error)")
      #expect(result.error.contains("contradict each other"))
      #expect(result.output.isEmpty)
    }
    #expect(session.run("whatif run.json --fail show --fail show").status == 0)
  }

  @Test func lawsAreReadAsTheyPrint() {
    let law = "showOffline.completed implies ping.failed"
    let kept = session.run(["laws", "boot.json", law])
    #expect(kept.output == "✓ kept: \(law)\n")
    #expect(kept.status == 0)

    let broken = session.run(["laws", "run.json", "never offline.completed"])
    #expect(broken.output.contains("  broken in 6 of 15 endings\n  this run broke it\n"))
    #expect(broken.status == 1)
  }

  @Test func lawsOfASketchAreCheckedUnasked() {
    let text = """
      {"pebbles": [{"name": "a"}, {"name": "b", "when": "a.failed"}], "laws": ["never b.failed"]}
      """
    let result = Session(["a.json": Array(text.utf8)]).run("laws a.json")

    #expect(result.output.hasPrefix("✗ broken: never b.failed\n  broken in 1 of 3 endings\n"))
    #expect(result.status == 1)
  }

  @Test func endingsAreCountedAndListed() {
    let all = session.run("endings boot.json --most 2")
    #expect(all.output.hasPrefix("oovium-boot: 368 endings\nalways run: loadOTID, loadToken, "))
    #expect(all.output.hasSuffix("\n  … and 366 more\n"))
    #expect(session.run("endings - --most 1").output.contains("\n  ✓ nothing fails   ○ offline\n"))

    let some = session.run(["endings", "-", "--where", "show.skipped && offline.completed"])
    #expect(
      some.output == """
        true in 2 of 15 endings

        the fewest failures that lead there
        ping, "load cores"

        """)
  }

  @Test func lintFindsAndTellsByItsStatus() {
    let result = session.run("lint boot.json")
    #expect(result.output.hasPrefix("oovium-boot: 3 notes\n"))
    #expect(result.status == 0)
    #expect(session.run("lint boot.json --strict").status == 1)
    #expect(session.run("lint boot.json --strict --ignore redundant").status == 0)

    let more = session.run("lint boot.json --also unhandledFailure")
    #expect(more.output.hasPrefix("oovium-boot: 5 warnings, 4 notes\n"))
    #expect(more.status == 1)
  }

  @Test func aPartIsAskedAndDrawn() {
    let result = session.run("endings boot.json --only ping")
    #expect(result.output.contains("2 endings"), "\(result.output)")
    #expect(!result.output.contains("load cores"))
    let picture = session.run("draw boot.json --only ping").output
    #expect(picture.contains("ping") && !picture.contains("load cores"), "\(picture)")
    #expect(session.run("lint boot.json --only ping").status == 0)
    let law = session.run(["laws", "boot.json", "--only", "ping", "always ping.completed"])
    #expect(law.status == 0, "\(law.output)")

    let unknown = session.run("endings boot.json --only pin")
    #expect(unknown.status == 2)
    let run = session.run("draw run.json --only ping")
    #expect(run.status == 2)
    #expect("\(run)".contains("draw the pond itself"), "\(run)")
  }

  @Test func aSlowerRunIsARegression() {
    let result = session.run("compare run.json slow.json")
    #expect(result.output.hasPrefix("boot: 30.0 ms before, 60.0 ms after (+30.0 ms, +100.0%)\n"))
    #expect(
      result.output.hasSuffix(
        "\n  ✗ the run took 60.0 ms, more than 1.1 times the 30.0 ms before\n"))
    #expect(result.status == 1)
    #expect(session.run("compare run.json slow.json --slower 2").status == 0)
    #expect(session.run("compare slow.json run.json").status == 0)

    let failed = session.run("compare well.json run.json")
    #expect(
      failed.output.hasSuffix(
        """

        worse
          ✗ 1 pebble succeeded before and failed
          ✗ 2 pebbles succeeded before and were blocked

        """), "\(failed.output)")
    #expect(failed.status == 1)
  }

  @Test func aRunIsCheckedAgainstABudget() {
    #expect(
      session.run("check run.json --makespan 30ms").output == """
        ✓ ended well, in 30.0 ms, with 1 failure that was handled
          ✗ ping failed: no route; handled by offline

        """)
    #expect(session.run("check well.json").output == "✓ ended well, in 30.0 ms\n")
    #expect(
      session.run("check run.json --makespan 30ms --allow-failures").output
        == "✓ kept to its budget, in 30.0 ms\n")
    let slow = session.run(
      [
        "check", "slow.json", "--makespan", "1.5x", "--baseline", "run.json", "--pebble",
        "load cores=30ms",
      ])
    #expect(slow.status == 1)
    #expect(
      slow.output.contains("  ✗ the run took 60 ms; 45 ms are allowed, 1.5 times the 30 ms of"))
    #expect(slow.output.contains("  ✗ \"load cores\" took 50 ms; 30 ms are allowed\n"))
    #expect(session.run("check run.json --makespan 1.5x").status == 2)
  }

  @Test func aFailureThatNoPebbleHandlesIsFound() throws {
    let text = """
      {"format": "pond run", "version": 1, "makespan": 5, "pond": {"format": "pond", "version": 1,
        "name": "p", "onFailure": "ignore", "conditions": [], "clusters": [],
        "pebbles": [{"name": "a"}]},
       "pebbles": [{"name": "a", "outcome": "failed", "error": "no", "ready": 0, "started": 0,
         "finished": 5}], "nested": []}
      """
    let session = Session(["a.json": Array(text.utf8)])

    let result = session.run("check a.json")

    #expect(
      result.output == "not as it should be\n  ✗ a failed, and no pebble handled it: no\n")
    #expect(result.status == 1)
    #expect(session.run("check a.json --allow-failures").status == 0)
  }

  @Test(arguments: [
    "", "{\"name\": \"a\"}", "{\"name\": \"a\", \"when\": \"a.failed\"}",
  ])
  func aPondWithoutEndsHasNothingToCount(_ pebbles: String) {
    let session = Session(["pond.json": Array("{\"pebbles\": [\(pebbles)]}".utf8)])

    let result = session.run("laws pond.json")

    #expect(result.status == 2)
    #expect(result.error.contains("name some with --end, or give a law"))
  }

  @Test func namesOfEndsAreCutHoweverLongTheyAre() {
    let name = String(repeating: "x", count: 10_000)
    let pebbles = "{\"name\": \"a\"}, {\"name\": \"\(name)\", \"when\": \"a.failed\"}"
    let session = Session(["pond.json": Array("{\"pebbles\": [\(pebbles)]}".utf8)])

    let lines = session.run("laws pond.json").output.split(separator: "\n")

    #expect(lines.count > 2)
    #expect(lines.allSatisfy { $0.count < 200 })
  }

  @Test func aNameMayHaveAStarOfItsOwn() {
    let pebbles = "{\"name\": \"*\"}, {\"name\": \"other\"}"
    let session = Session(["pond.json": Array("{\"pebbles\": [\(pebbles)]}".utf8)])

    // Of both, one would be too many in every ending.
    #expect(session.run("laws pond.json --end *").status == 0)
    #expect(session.run("laws pond.json --end *r --end *").status == 1)
  }

  @Test func picturesGoWhereTheyAreWanted() throws {
    #expect(session.run("draw run.json").output.hasPrefix("digraph \"boot, 30.0 ms\" {"))
    #expect(session.run("draw - --as mmd").output.hasPrefix("flowchart LR\n"))

    let result = session.run("draw run.json -o boot.mmd")
    #expect(result.output == "")
    #expect(result.files.map(\.path) == ["boot.mmd"])
    #expect(result.files.first?.text.hasPrefix("flowchart LR\n") == true)
    #expect(session.run("draw run.json -o boot.mmd --as dot").files[0].text.hasPrefix("digraph"))
    #expect(session.run("draw run.json -o boot.svg").files[0].text.hasPrefix("<svg "))
    #expect(session.run("draw run.json -o boot.html").files[0].text.hasPrefix("<!doctype html>"))
    #expect(session.run("draw run.json -o boot.trace.json").files[0].text.hasPrefix("{"))
    #expect(session.run("draw run.json -o boot.gif").status == 2)

    let reasons = session.run("draw run.json --as mmd --reasons").output
    #expect(reasons.contains("<br/>it needs ping to succeed, but ping<br/>failed"))
    #expect(!session.run("draw run.json --as mmd").output.contains("<br/>it needs"))
    let timeline = session.run("draw - --as svg")
    #expect(timeline.status == 2)
    #expect(timeline.error.contains("only the definition of a pond"))
  }
}
