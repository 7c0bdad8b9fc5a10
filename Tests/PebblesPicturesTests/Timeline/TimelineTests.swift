import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import PebblesPictures

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Tests of the contents of timelines.
@Suite(.watched) struct TimelineTests {
  @Test func everyKindOfEndingIsTold() throws {
    let svg = try Self.boot().timeline()

    #expect(svg.contains(">✓ load 30.0 ms</text>"))
    #expect(svg.contains(">✗ ping 10.0 ms · no &lt;route&gt;, 2 attempts</text>"))
    #expect(svg.contains(">⊘ sync · blocked, because ping failed</text>"))
    #expect(svg.contains(">○ never · not needed, its condition is false from the start</text>"))
    #expect(svg.contains("waited 5.00 ms for a thread"))
    #expect(svg.contains("boot · 50.0 ms"))
    #expect(
      svg.contains(
        "1 failed, 1 blocked, 2 succeeded, 1 not needed. The longest chain takes 50.0 ms and has 2 "
          + "pebbles; most of it: load 30.0 ms, show 15.0 ms."))
  }

  @Test(arguments: [1, 2])
  func anErrorWithoutATextAddsNothing(attempts: Int) throws {
    let pond = Pond("silent")
    pond.pebble("only") {}
    let attempt = RecordedAttempt(started: .zero, finished: .zero, error: "")
    let run = try RecordedRun(
      model: pond.model(),
      pebbles: [
        RecordedPebble(
          name: "only", outcome: .failed(""), ready: .zero, started: .zero, finished: .zero,
          attempts: Array(repeating: attempt, count: attempts))
      ], makespan: .zero)

    #expect(RunFacts(run).remark(on: 0) == (attempts == 1 ? nil : "2 attempts"))
  }

  @Test func nothingIsToldByColourAlone() throws {
    let svg = try Self.boot().timeline()

    #expect(svg.contains("<pattern id=\"failed\""))
    #expect(svg.contains(".failed { fill: url(#failed)"))
    #expect(svg.contains("stroke-dasharray"))
    for key in [
      "✓ succeeded", "✗ failed", "⊘ blocked", "○ not needed, or not to run", "attempts",
      "waits for others", "waits for a thread", "longest chain",
    ] {
      #expect(svg.contains(">\(key)</text>"), "\(key)")
    }
    #expect(!svg.contains("waits for a limit"))
  }

  @Test func waitsForALimitAreStriped() throws {
    let pond = Pond("limited", maxConcurrent: 1)
    for name in ["first", "second"] { pond.pebble(name) {} }
    var plan = SimulationPlan()
    plan.durations = [20, 30]
    let svg = Simulator(try pond.model(), plan).run().timeline()

    #expect(svg.contains("waited 20 ns for a limit"))
    #expect(svg.contains("<rect class=\"limit\""))
    #expect(svg.contains(">waits for a limit</text>"))
  }

  @Test func itTurnsDarkOnScreensAndIsLightOnPaper() throws {
    let svg = try Self.boot().timeline()

    #expect(svg.contains("@media screen and (prefers-color-scheme: dark)"))
    #expect(svg.contains("print-color-adjust: exact"))
    for hue in Hue.seen { #expect(svg.contains(hue.light) && svg.contains(hue.dark)) }
  }

  @Test func theSameRunGivesTheSamePicture() throws {
    var (one, other) = (RandomRun(seed: 3), RandomRun(seed: 3))

    #expect(try one.run(of: 80).timeline() == other.run(of: 80).timeline())
  }

  @Test func picturesAreWellFormedAndNeedNothingElse() throws {
    for seed in 0..<20 {
      var random = RandomRun(seed: UInt64(seed))
      let svg = try random.run(of: 40).timeline()

      #expect(XMLParser(data: Data(svg.utf8)).parse())
      #expect(!svg.replacing("http://www.w3.org/2000/svg", with: "").contains("http"))
      #expect(!svg.contains("<script"))
    }
  }

  @Test func aPondWithoutPebblesHasAPictureToo() async throws {
    let svg = try await Pond("empty").run().timeline()

    #expect(svg.contains("No pebbles."))
    #expect(XMLParser(data: Data(svg.utf8)).parse())
  }

  @Test func aRunThatCannotHaveBeenIsDrawnAsRecorded() throws {
    let pond = Pond("odd")
    let first = pond.pebble("first") {}
    pond.pebble("second", when: first.succeeded) {}
    let run = try RecordedRun(
      model: pond.model(),
      pebbles: [
        RecordedPebble(
          name: "first", outcome: .failed("no"), ready: .zero, started: .zero, finished: .zero),
        RecordedPebble(
          name: "second", outcome: .succeeded, ready: .zero, started: .zero, finished: .zero),
      ], makespan: .zero)

    let svg = run.timeline()

    #expect(
      RunFacts(run).verdict.hasSuffix(
        "The longest chain is not known: second cannot have ended as recorded: the record says "
          + "that it succeeded, but its condition was false."))
    #expect(svg.contains("The longest chain is not known: "))
    #expect(svg.contains("✓ second"))
  }

  /// Returns a run in which two pebbles succeed, one fails twice, and another one is skipped
  /// because of this failure.
  static func boot() throws -> RecordedRun {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let ping = pond.pebble("ping") {}
    pond.pebble("sync", when: ping.succeeded) {}
    pond.pebble("show", when: load.succeeded) {}
    pond.pebble("never", when: .never) {}
    func time(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }
    return try RecordedRun(
      model: pond.model(),
      pebbles: [
        RecordedPebble(
          name: "load", outcome: .succeeded, ready: .zero, started: .zero, finished: time(30)),
        RecordedPebble(
          name: "ping", outcome: .failed("no <route>"), ready: .zero, started: .zero,
          finished: time(10),
          attempts: [
            RecordedAttempt(started: .zero, finished: time(4), error: "timed out"),
            RecordedAttempt(started: time(6), finished: time(10), error: "no <route>"),
          ]),
        RecordedPebble(
          name: "sync", outcome: .skipped(.conditionFalse(decidedBy: "ping")), finished: time(10),
          decidedBy: 1),
        RecordedPebble(
          name: "show", outcome: .succeeded, ready: time(30), started: time(35),
          finished: time(50), decidedBy: 0),
        RecordedPebble(
          name: "never", outcome: .skipped(.conditionFalse(decidedBy: nil)), finished: .zero),
      ], makespan: time(50))
  }
}
