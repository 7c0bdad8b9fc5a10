import Pebbles
import PebblesAnalysis
import Testing

@testable import PebblesPictures

@Suite struct ProgressFrameTests {
  private func text(
    _ status: RunStatus, _ earlier: RecordedRun? = nil, columns: Int = 80, rows: Int = 24
  ) -> String {
    let size = TerminalSize(columns: columns, rows: rows)
    return ProgressFrame(status, of: "boot", earlier.map(Forecast.init), in: size).lines
      .map { $0.map(\.text).joined() }.joined(separator: "\n")
  }

  /// Returns an earlier run in which `load` takes 3 s, `show` another 2 s, and `ping` 1 s.
  private func earlier() throws -> RecordedRun {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("show", when: load.completed) {}
    pond.pebble("ping") {}
    let pebble = { (name: String, start: Int, end: Int, cause: Int?) in
      RecordedPebble(
        name: name, outcome: .succeeded, ready: .seconds(start), started: .seconds(start),
        finished: .seconds(end), decidedBy: cause)
    }
    return try RecordedRun(
      model: pond.model(),
      pebbles: [pebble("load", 0, 3, nil), pebble("show", 3, 5, 0), pebble("ping", 0, 1, nil)],
      makespan: .seconds(5))
  }

  @Test func theOneSkipThatMattersIsToldFromTheEightThatDoNot() {
    let others = (0..<7).map { ("p\($0)", RunStatus.State.notNeeded) }
    let status = RunStatus(
      at: 1_000,
      [("bad", .failed("no")), ("b", .blocked)] + others
        + [("off", .cancelled)])

    #expect(text(status) == "boot ━━━━━━━━━━━━━━━━━━━━  10 of 10  ✗ 1  ⊘ 1  ○ 8  1.0 s")
    #expect(
      ProgressNews.summary(status, of: "boot")
        == "boot: 1 failed, 1 blocked, 7 not needed, 1 cancelled in 1.00 s")
  }

  @Test func whatIsRunningAndWhatWaitsIsBelowABar() {
    let status = RunStatus(
      at: 3_250,
      [
        ("a", .succeeded), ("b", .failed("no")), ("c", .blocked), ("load", .running(3_000)),
        ("old", .running(50, attempt: 2)), ("show", .waiting("load", "old")),
        ("write", RunStatus.State(.ready(behind: [RunStatus.Limit(.resource, "db")]))),
        ("done", .succeeded),
      ])

    #expect(
      text(status) == """
        boot ━━━━━━━━━━──────────  4 of 8  ✗ 1  ⊘ 1  3.2 s
          ▸ old    3.2 s, attempt 2
          ▸ load   0.2 s
          · write  ready, behind resource "db"
          · show   waiting for load, old
        """)
  }

  @Test func anEarlierRunTellsHowLongItWillTake() throws {
    let begun = RunStatus(
      at: 500, [("load", .running(0)), ("show", .waiting("load")), ("ping", .running(0))])
    #expect(
      text(begun, try earlier()) == """
        boot ━━──────────────────  0 of 3  0.5 s, about 5 s left
          ▸ load  0.5 s of about 3.0 s
          ▸ ping  0.5 s of about 1.0 s
          · show  waiting for load
        """)

    let late = RunStatus(
      at: 9_000, [("load", .succeeded), ("show", .running(3_200)), ("ping", .succeeded)])
    #expect(
      text(late, try earlier()) == """
        boot ━━━━━━━━━━━━━━━━━━━─  2 of 3  9.0 s
          ▸ show  5.8 s of about 2.0 s
        """)
  }

  @Test(arguments: [
    (80, "boot ━━──────────────────  0 of 3  0.5 s, about 5 s left"),
    (40, "boot ━─────────  0 of 3  about 5 s left"), (30, "boot   0 of 3  about 5 s left"),
    (25, "  0 of 3  about 5 s left"), (20, "  about 5 s left"),
  ])
  func inANarrowTerminalTheRestOfTheTimeStays(_ columns: Int, _ expected: String) throws {
    let status = RunStatus(
      at: 500, [("load", .running(0)), ("show", .waiting("load")), ("ping", .running(0))])

    let first = text(status, try earlier(), columns: columns).split(separator: "\n").first

    #expect(first.map(String.init) == expected)
  }

  @Test(arguments: [(0, 0), (1_000, 0), (2_500, 1), (4_000, 2), (9_000, 2)])
  func theBarGoesByTimeAsWhatIsLeftDoes(milliseconds: Int, settled: Int) throws {
    let forecast = Forecast(try earlier())
    let status = RunStatus(
      at: milliseconds,
      [
        ("load", settled > 1 ? .succeeded : .running(0)),
        ("show", settled > 1 ? .running(3_000) : .waiting("load")),
        ("ping", settled > 0 ? .succeeded : .running(0)),
      ])

    let rest = try #require(forecast.rest(of: status))
    let whole = status.elapsed + rest
    let fraction = ProgressFrame(
      status, of: "boot", forecast, in: TerminalSize(columns: 80, rows: 24)
    ).fraction

    #expect(fraction == (whole > .zero ? status.elapsed / whole : 0))
    // However late it is, one that is under way is not shown as over.
    #expect(text(status, try earlier()).contains("─"))
  }

  @Test func theBarDoesNotGoBackWhenTheRunFallsBehind() throws {
    let forecast = Forecast(try earlier())
    let size = TerminalSize(columns: 80, rows: 24)
    let pebbles = { (state: RunStatus.State) in
      [("load", RunStatus.State.succeeded), ("show", state), ("ping", .succeeded)]
    }
    let before = ProgressFrame(
      RunStatus(at: 4_000, pebbles(.running(2_000))), of: "boot", forecast, in: size)

    // It waits for a limit that it had not waited for.
    let later = RunStatus(at: 4_100, pebbles(RunStatus.State(.ready(behind: []))))
    let after = ProgressFrame(later, of: "boot", forecast, from: before.fraction, in: size)

    #expect(before.fraction == 1)
    #expect(after.fraction == before.fraction)
    #expect(try #require(forecast.fraction(of: later)) < 0.7)
  }

  @Test func withAnEarlierRunOfOtherPebblesTheBarCounts() throws {
    let status = RunStatus(at: 1_000, [("a", .succeeded), ("b", .running(0))])

    #expect(try Forecast(earlier()).rest(of: status) == nil)
    #expect(text(status, try earlier()) == text(status))
  }

  @Test func aPebbleThatWasKeptDoesNotSayHowLongItTakes() throws {
    let pond = Pond("boot")
    pond.pebble("load") {}
    let earlier = try RecordedRun(
      model: pond.model(),
      pebbles: [
        RecordedPebble(
          name: "load", outcome: .succeeded, ready: .zero, started: .zero, finished: .zero,
          keptFrom: "4f1c")
      ], makespan: .zero)
    let status = RunStatus(at: 1_000, [("load", .running(0))])

    #expect(Forecast(earlier).rest(of: status) == nil)
    #expect(text(status, earlier) == text(status))
  }

  @Test func whatWaitedForALimitIsExpectedToDoSoAgain() throws {
    let pond = Pond("queue", maxConcurrent: 1)
    for name in ["a", "b", "c"] { pond.pebble(name) {} }
    let earlier = try RecordedRun(
      model: pond.model(),
      pebbles: ["a", "b", "c"].enumerated().map { place, name in
        RecordedPebble(
          name: name, outcome: .succeeded, ready: .zero, started: .seconds(10 * place),
          finished: .seconds(10 * place + 10))
      }, makespan: .seconds(30))
    let ready = RunStatus.State(.ready(behind: [RunStatus.Limit(.maxConcurrent)]))
    let status = RunStatus(at: 5_000, [("a", .running(0)), ("b", ready), ("c", ready)])

    #expect(Forecast(earlier).rest(of: status) == .seconds(25))
  }

  @Test func whatFollowsASkipIsPartOfWhatFollowsItsCause() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let online = pond.pebble("online", when: ping.succeeded) {}
    pond.pebble("offline", when: online.skipped) {}
    let earlier = try RecordedRun(
      model: pond.model(),
      pebbles: [
        RecordedPebble(
          name: "ping", outcome: .failed("no"), ready: .zero, started: .zero,
          finished: .seconds(1)),
        RecordedPebble(
          name: "online", outcome: .skipped(.conditionFalse(decidedBy: "ping")),
          finished: .seconds(1), decidedBy: 0),
        RecordedPebble(
          name: "offline", outcome: .succeeded, ready: .seconds(1), started: .seconds(1),
          finished: .seconds(6), decidedBy: 1),
      ], makespan: .seconds(6))
    let status = RunStatus(
      at: 0,
      [("ping", .running(0)), ("online", .waiting("ping")), ("offline", .waiting("online"))])

    #expect(Forecast(earlier).rest(of: status) == .seconds(6))
  }

  @Test func ofManyTheTenThatHaveRunForLongestAreShown() throws {
    let pebbles = (0..<1_000).map { ("p\($0)", RunStatus.State.running(999 - $0)) }
    let lines = text(RunStatus(at: 2_000, pebbles), rows: 24).split(separator: "\n")

    #expect(
      lines.dropFirst().prefix(10).map { $0.split(separator: " ")[1] }
        == (990...999).reversed().map { "p\($0)" })
    #expect(lines.last == "  … and 990 more")
  }

  @Test func whatIsReadyIsShownBeforeManyThatWait() {
    let waiting = (0..<40).map { ("p\($0)", RunStatus.State.waiting("load")) }
    let ready = ("write", RunStatus.State(.ready(behind: [])))

    let lines = text(RunStatus(at: 100, waiting + [ready])).split(separator: "\n")

    #expect(lines[1] == "  · write  ready")
    #expect(lines[2] == "  · p0     waiting for load")
  }

  @Test func aRestOfLessThanASecondIsNotTold() throws {
    let status = RunStatus(
      at: 4_100, [("load", .succeeded), ("show", .running(3_000)), ("ping", .succeeded)])

    #expect(try Forecast(earlier()).rest(of: status) == .milliseconds(900))
    #expect(!text(status, try earlier()).contains("left"))
  }

  @Test(arguments: [-1, 0, 1, 2, 3, 5, 13, 14, 100])
  func thereAreAtMostTwelveLinesAndOneIsLeftFree(rows: Int) {
    let pebbles = (0..<40).map { ("pebble \($0)", RunStatus.State.running($0)) }
    let lines = text(RunStatus(at: 100, pebbles), rows: rows).split(separator: "\n")

    #expect(lines.count == max(0, min(12, rows - 1)))
    if rows > 2 { #expect(lines.last == "  … and \(40 - lines.count + 2) more") }
  }

  @Test(arguments: 1...100)
  func everyLineFitsTheTerminal(columns: Int) {
    let status = RunStatus(
      at: 100,
      [
        ("漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", .running(0)), ("\u{1B}[2J\n\u{7}", .running(1)),
        ("w", .waiting("👨‍👩‍👧 family", String(repeating: "long", count: 50))),
      ])
    let lines = text(status, columns: columns).split(separator: "\n")

    #expect(lines.count <= 4)
    #expect(lines.allSatisfy { $0.columns <= max(columns - 1, 1) })
    #expect(!lines.contains { $0.unicodeScalars.contains { $0.value < 0x20 } })
  }

  @Test(arguments: [
    (0, "0.0 s"), (3_249, "3.2 s"), (59_999, "59.9 s"), (60_000, "1 min 0 s"),
    (125_400, "2 min 5 s"),
  ])
  func timesAreAsExactAsTheyAreDrawn(_ milliseconds: Int, _ expected: String) {
    #expect(Duration.milliseconds(milliseconds).inTenths == expected)
  }
}
