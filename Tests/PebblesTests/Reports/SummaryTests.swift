import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct SummaryTests {
  @Test(arguments: [(nil, .notNeeded), (.blocked, .blocked)] as [(SkipKind?, OutcomeGroup)])
  func aSkipOfUnknownKindCountsAsNotNeeded(kind: SkipKind?, group: OutcomeGroup) {
    #expect(OutcomeGroup(.skipped, isKept: false, kind) == group)
  }

  @Test func theSummaryShowsTotalsTimesErrorsAndReasons() async throws {
    let clock = ManualClock()
    let pond = Pond("boot")
    let launches = pond.pebble("loadLaunches") { clock.advance(by: .milliseconds(312)) }
    let cores = pond.pebble("loadCores", when: launches.completed) {
      clock.advance(by: .microseconds(1_250))
      throw Breakdown("the file cores.json is missing")
    }
    pond.pebble("refreshScreens", when: launches.completed && cores.completed) {
      clock.advance(by: .seconds(12))
    }
    pond.pebble("showOffline", when: launches.failed && cores.failed) {}
    pond.pebble("showCores", when: cores.succeeded) {}

    let report = try await pond.run(clock: clock)

    #expect(
      report.description == """
        boot: 1 failed, 1 blocked, 2 succeeded, 1 not needed in 12.3 s

        failed       started finished     took
          loadCores   312 ms   313 ms  1.25 ms   the file cores.json is missing; handled

        blocked
          showCores was blocked: it needs loadCores to succeed, but loadCores failed

        succeeded         started finished     took
          loadLaunches       0 ns   312 ms   312 ms
          refreshScreens   313 ms   12.3 s   12.0 s

        not needed
          showOffline was not needed: it needs loadLaunches to fail, but loadLaunches succeeded
        """)
  }

  @Test(arguments: [1, 2])
  func whatFailedInsideAPebbleThatSucceededIsSaid(_ count: Int) async throws {
    let (inner, outer) = (Pond("inner"), Pond("outer"))
    inner.pebble("load") { throw Breakdown() }
    outer.pebble("runs") { for _ in 0..<count { _ = try await inner.run() } }
    outer.pebble("checks") { try await inner.run().check() }

    let lines = try await outer.run().description.split(separator: "\n")

    let remark = count == 1 ? "its run of inner failed" : "2 runs inside it failed"
    #expect(lines.contains { $0.hasPrefix("  runs ") && $0.hasSuffix("   \(remark)") })
    #expect(!lines.contains { $0.hasPrefix("  checks ") && $0.contains("its run") })
  }

  @Test func oneThatWaitsForItsNextAttemptIsNotSaidToHaveBeenCutOff() async throws {
    let clock = AlarmClock()
    let pond = Pond("boot")
    pond.pebble("load", .retry(.attempts(2, delay: .seconds(9)))) { throw Breakdown("busy") }

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(3))
    run.cancel()
    let text = try await run.report.description

    #expect(text.contains("   cancelled before it was tried again: busy"), "\(text)")
  }

  @Test func theSummaryCountsWhatCouldNotBeTornDown() async throws {
    let pond = Pond("boot")
    pond.pebble("fine", teardown: {}) {}
    for name in ["a", "b"] { pond.pebble(name, teardown: { throw Breakdown("stuck") }) {} }

    let run = try pond.start()
    _ = try await run.report
    _ = try await run.shutdown()
    let text = try await run.reportAfterShutdown().description

    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("boot: 3 succeeded in "))
    #expect(lines[0].hasSuffix(", 2 not torn down"))
    #expect(lines[1...2] == ["", "could not be torn down"])
    #expect(lines[3...4].sorted() == ["  a: stuck", "  b: stuck"])
  }

  @Test func columnsStayApartHoweverLongARunTook() async throws {
    let clock = ManualClock()
    let pond = Pond("boot")
    let first = pond.pebble("first") { clock.advance(by: .seconds(1_234_567_890)) }
    pond.pebble("second", when: first.succeeded) { clock.advance(by: .seconds(1)) }

    let report = try await pond.run(clock: clock)

    #expect(
      report.description == """
        boot: 2 succeeded in 1234567891 s

        succeeded        started     finished         took
          first             0 ns 1234567890 s 1234567890 s
          second    1234567890 s 1234567891 s       1.00 s
        """)
  }

  @Test func anEmptyPondHasNoPebblesToSumUp() async throws {
    let report = try await Pond("empty").run(clock: ManualClock())

    #expect(report.description == "empty: no pebbles in 0 ns")
  }

  @Test func aCancelledRunSaysSo() async throws {
    let pond = Pond("stopped")
    let started = Gate()
    let gate = Gate()
    let first = pond.pebble("first") {
      started.open()
      await gate.passed()
    }
    pond.pebble("second", when: first.succeeded) {}

    let run = try pond.start(clock: ManualClock())
    await started.passed()
    run.cancel()
    gate.open()

    let summary = try await run.report.description
    #expect(summary.hasPrefix("stopped: 1 succeeded, 1 cancelled in 0 ns, cancelled\n"))
    #expect(
      summary.hasSuffix("  second was skipped: the run was cancelled before it could start"))
  }

  @Test func aRunThatAFailureHasCancelledSaysWhyOnce() async throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let store = pond.pebble("store", teardown: {}) {}
    pond.pebble("load", when: store.succeeded) { throw Breakdown() }

    let report = try await pond.start().reportAfterShutdown()

    let reason = try #require(report.cancellation)
    let heading = report.description.split(separator: "\n").first
    #expect(heading?.hasSuffix(", cancelled: \(reason)") == true)
    #expect(report.shutdown?.records.count == 1)
  }

  @Test func theReasonOfACancellationStaysOnOneLine() {
    let storage = RunStorage(Pond("boot").program().pond)
    let reason = RunCancellation.journalBroken("is full:\nno space")

    let report = Report(storage, RunIdentifier("broken"), endedAt: 0, reason)

    #expect(
      report.description
        == "boot: no pebbles in 0 ns, cancelled: its journal is full:⏎no space")
  }

  @Test func eachPartShowsItsFirstTwoHundredPebbles() async throws {
    let pond = Pond("many")
    for number in 0..<250 { pond.pebble("good\(number)") {} }
    for number in 0..<201 { pond.pebble("skipped\(number)", when: .never) {} }

    let summary = try await pond.run().description

    #expect(summary.contains("  good199 "))
    #expect(!summary.contains("good200"))
    #expect(summary.contains("  … and 50 more\n"))
    #expect(summary.hasSuffix("  … and 1 more"))
  }

  @Test func thoseThatFollowedAnotherAreNotAmongTheRest() async throws {
    let pond = Pond("many")
    let root = pond.pebble("root", when: .never) {}
    for number in 0..<250 { pond.pebble("follows\(number)", when: root.succeeded) {} }

    let summary = try await pond.run().description

    #expect(summary.hasSuffix(", and 250 more followed"))
  }

  @Test func namesAreCutAndKeptOnOneLineSoThatTheColumnsHold() async throws {
    let pond = Pond(String(repeating: "pond", count: 100) + "\n")
    pond.pebble(String(repeating: "x", count: 10_000)) {}
    pond.pebble("two\nlines\u{1B}[0m") {}
    pond.pebble("short") {}

    let lines = try await pond.run(clock: ManualClock()).description.split(separator: "\n")

    #expect(lines.count == 5)
    #expect(lines[0].count < 100)
    #expect(Set(lines[1...].map(\.count)).count == 1)
    #expect(lines[3].hasPrefix("  \"two\\nlines\\u{1B}[0m\" "))
  }
}

@Suite struct TextTests {
  @Test(arguments: [
    (Duration.zero, "0 ns"), (.nanoseconds(999), "999 ns"), (.nanoseconds(1_000), "1.00 µs"),
    (.nanoseconds(1_239), "1.24 µs"), (.microseconds(12), "12.0 µs"),
    (.microseconds(999), "999 µs"),
    (.milliseconds(312), "312 ms"), (.microseconds(9_999), "10.0 ms"), (.seconds(1), "1.00 s"),
    (.seconds(59), "59.0 s"), (.seconds(3_600), "3600 s"), (.seconds(-1), "0 ns"),
    (.milliseconds(10_050), "10.1 s"),
  ])
  func aDurationIsWrittenInThreeDigitsAndAFittingUnit(duration: Duration, text: String) {
    #expect(duration.brief == text)
  }

  @Test func aTextIsCutToItsLimit() {
    #expect("".truncated(to: 5) == "")
    #expect("12345".truncated(to: 5) == "12345")
    #expect("123456".truncated(to: 5) == "1234…")
    #expect("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧".truncated(to: 2) == "👨‍👩‍👧…")
    let stacked = "stacked" + String(repeating: "\u{301}", count: 10_000)
    #expect(stacked.truncated(to: 40).unicodeScalars.count == 321)
  }

  @Test func whatCannotBeSeenIsMadeVisible() {
    #expect("plain é 🚀".singleLine == "plain é 🚀")
    #expect("a\nb\tc".singleLine == "a⏎b c")
    #expect("a\r\nb".singleLine == "a\\u{D}⏎b")
    #expect(
      "\u{0}\u{1B}\u{202E}\u{2028}\u{FEFF}".singleLine == "\\u{0}\\u{1B}\\u{202E}\\u{2028}\\u{FEFF}"
    )
    #expect("👨‍👩‍👧".singleLine == "👨‍👩‍👧")
  }

  @Test func durationsBeyondWhatIsCountedAreClamped() {
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
    #expect(Duration.seconds(-5).nanoseconds == 0)
    #expect(UInt64.max.asNanoseconds.nanoseconds == .max)
  }
}
