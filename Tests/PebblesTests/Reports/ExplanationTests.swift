import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ExplanationTests {
  private let pond = Pond("explanations")
  private let ping: Pebble<Void>
  private let cores: Pebble<Void>

  init() {
    ping = pond.pebble("ping") {}
    cores = pond.pebble("cores") { throw Breakdown("no network") }
  }

  @Test func aFalseConditionNamesWhatItNeededAndWhatHappened() async throws {
    let showOffline = pond.pebble("showOffline", when: ping.failed && cores.failed) {}

    #expect(
      try await explanation(of: showOffline)
        == "showOffline was not needed: it needs ping to fail, but ping succeeded")
  }

  @Test func everyAtomHasItsVerb() async throws {
    let skipped = pond.pebble("skipped", when: .never) {}
    let sentences = [
      (cores.succeeded, "blocked", "cores to succeed, but cores failed"),
      (ping.failed, "not needed", "ping to fail, but ping succeeded"),
      (ping.skipped, "not needed", "ping to be skipped, but ping succeeded"),
      (skipped.completed, "not needed", "skipped to complete, but skipped was not needed"),
      (!ping.succeeded, "not needed", "ping to fail or be skipped, but ping succeeded"),
      (!cores.failed, "blocked", "cores to succeed or be skipped, but cores failed"),
      (!ping.settled, "not needed", "ping to never settle, but ping succeeded"),
    ]

    for (number, (condition, kind, sentence)) in sentences.enumerated() {
      let pebble = pond.pebble("p\(number)", when: condition) {}
      #expect(
        try await explanation(of: pebble) == "p\(number) was \(kind): it needs \(sentence)")
    }
  }

  @Test(arguments: [
    (1, "b0"), (2, "b0 and b1"), (4, "b0, b1, b2 and b3"), (5, "b0, b1, b2, b3 and 1 more"),
    (6, "b0, b1, b2, b3 and 2 more"),
  ])
  func aStallNamesTheFirstFourThatAreWaitedFor(count: Int, names: String) async throws {
    let waiting = pond.pebble("waiting") {}
    let awaited = (0..<count).map { pond.pebble("b\($0)", when: waiting.succeeded) {} }
    waiting.ready = .all(awaited.map(\.succeeded))

    #expect(
      try await explanation(of: waiting)
        == "waiting was blocked: it waits for \(names), and that waits for it in turn")
  }

  @Test func whatEndedAnotherWayThanACaseSaysDidNotEndOtherwise() async throws {
    let locked = ping.failed("locked") { _ in true }
    let full = cores.failed("full") { _ in false }
    let unlock = pond.pebble("unlock", when: locked) {}
    let delete = pond.pebble("delete", when: full) {}

    let unlockText = try await explanation(of: unlock)
    #expect(
      unlockText
        == "unlock was not needed: it needs ping to fail as locked, but ping succeeded")
    let deleteText = try await explanation(of: delete)
    #expect(
      deleteText
        == "delete was not needed: it needs cores to fail as full, but cores failed otherwise: "
        + "no network")
  }

  @Test func anOrNamesAllItsSides() async throws {
    let last = pond.pebble("last", when: ping.failed || cores.succeeded) {}

    #expect(
      try await explanation(of: last)
        == "last was blocked: it needs ping to fail or cores to succeed, "
        + "but ping succeeded and cores failed")
  }

  @Test func anAndNamesTheSideThatWasFalseFirst() async throws {
    let later = pond.pebble("later", when: ping.succeeded) {}
    let last = pond.pebble("last", when: later.failed && ping.failed) {}
    let clock = ManualClock()
    let slow = pond.pebble("slow", when: later.succeeded) { clock.advance(by: .seconds(1)) }
    let very = pond.pebble("very", when: slow.failed && (later.failed || ping.failed)) {}

    let report = try await pond.run(clock: clock)

    // `later` and `ping` end at the same moment on this clock; the one that decided comes first.
    #expect(report.record(of: last)?.explanation.hasSuffix("succeeded") == true)
    #expect(
      report.record(of: very)?.explanation
        == "very was not needed: it needs ping to fail or later to fail, "
        + "but ping succeeded and later succeeded")
  }

  @Test func moreThanFourAreCounted() async throws {
    let many = (0..<7).map { pond.pebble("p\($0)") {} }
    let last = pond.pebble("last", when: .any(many.map(\.failed))) {}

    #expect(
      try await explanation(of: last)
        == "last was not needed: it needs p0 to fail, p1 to fail, p2 to fail, p3 to fail or "
        + "3 more, but p0 succeeded, p1 succeeded, p2 succeeded, p3 succeeded and 3 more")
  }

  @Test func aConditionThatIsFalseFromTheStartSaysSo() async throws {
    let first = pond.pebble("first", when: .never) {}
    let second = pond.pebble("second", when: .never && ping.failed) {}

    let sentence = "was not needed: its condition is false from the start"
    #expect(try await explanation(of: first) == "first \(sentence)")
    #expect(try await explanation(of: second) == "second \(sentence)")
  }

  @Test func aStallNamesWhatIsWaitedFor() async throws {
    let left = pond.pebble("left") {}
    let right = pond.pebble("right") {}
    left.ready = right.succeeded && left.succeeded
    right.ready = left.succeeded

    #expect(
      try await explanation(of: left)
        == "left was blocked: it waits for left and right, and that waits for it in turn")
    #expect(
      try await explanation(of: right)
        == "right was blocked: it waits for left, and that waits for it in turn")
  }

  @Test func whatRanSaysWhatEnabledIt() async throws {
    let after = pond.pebble("after", when: ping.succeeded && cores.failed.labeled("offline")) {
      throw Breakdown("no disk")
    }
    let fine = pond.pebble("fine", when: ping.succeeded) {}

    #expect(try await explanation(of: ping) == "ping succeeded")
    #expect(try await explanation(of: cores) == "cores failed: no network")
    #expect(
      try await explanation(of: fine) == "fine succeeded, having started when ping succeeded")
    let sentence = try await explanation(of: after)
    #expect(sentence.hasPrefix("after failed, having started when "))
    #expect(sentence.hasSuffix(": no disk"))
  }

  @Test(
    arguments: ["two\nlines", "\u{1B}[31mred\u{1B}[0m", "\r\n", "\u{2028}", "\u{202E}txet", "\0"])
  func anErrorStaysOnOneLineWithoutControlCharacters(text: String) async throws {
    let pond = Pond("errors")
    let failing = pond.pebble("failing") { throw Breakdown(text) }

    let report = try await pond.run()
    let sentence = try #require(report.record(of: failing)).explanation

    #expect(sentence.unicodeScalars.allSatisfy { !$0.isInvisible })
    let lines = report.description.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4)
    #expect(report.description.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isInvisible })
  }

  @Test func namesThatAreNoIdentifiersAreQuoted() async throws {
    let odd = pond.pebble("load\ncores", when: ping.failed) {}
    let last = pond.pebble("last one", when: odd.succeeded) {}

    #expect(
      try await explanation(of: last)
        == #""last one" was not needed: it needs "load\ncores" to succeed, "#
        + #"but "load\ncores" was not needed"#
    )
  }

  private func explanation(of pebble: Pebble<Void>) async throws -> String {
    try #require(try await pond.run().record(of: pebble)).explanation
  }

  @Test func aSentenceStaysShortWhateverNamesAndErrorsHold() async throws {
    struct LongError: Error, CustomStringConvertible {
      let description = String(repeating: "e", count: 100_000)
    }
    let pond = Pond("long")
    let long = pond.pebble(String(repeating: "n", count: 100_000)) { throw LongError() }
    let skipped = pond.pebble("skipped", when: long.succeeded) {}

    let report = try await pond.run()

    #expect(report.record(of: long)?.explanation.count ?? .max < 1_000)
    #expect(report.record(of: skipped)?.explanation.count ?? .max < 1_000)
    #expect(report.description.count < 5_000)
  }
}
