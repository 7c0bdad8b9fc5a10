import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import pond

/// Tests of the common properties of answers: their length, their order, and the form of names.
@Suite(.watched) struct ReadableAnswerTests {
  /// Returns a run of layers of ten pebbles, each of which needs three pebbles of the previous
  /// layer.
  private func layers(_ count: Int, failing: Int? = nil) async throws -> RecordedRun {
    let pond = Pond("nightly")
    var before: [Pebble<Void>] = []
    for layer in 0..<count {
      before = (0..<10).map { number in
        let needs = (0..<min(3, before.count)).map { before[(number + $0) % 10].succeeded }
        return pond.pebble("load \(layer).\(number)", when: .all(needs)) {
          if layer == failing, number == 4 { throw Breakdown("the disk is full") }
        }
      }
    }
    let last = pond.pebble("thrower", when: before[9].succeeded) { throw Breakdown("thrown") }
    pond.pebble("report", when: .any(before.map(\.failed)) && last.failed) {}
    return try await pond.run().recorded()
  }

  @Test func whyOfAThrownErrorIsTenLinesUnlessAllAreAskedFor() async throws {
    let session = Session(["run.json": try await layers(20).jsonBytes()])

    let short = session.run("why run.json thrower").output.split(separator: "\n")
    let long = session.run("why run.json thrower --all").output.split(separator: "\n")

    #expect(short.count == 10)
    #expect(short.first == "thrower failed: thrown")
    #expect(short.last == "… \(long.count - 9) lines left out; --all shows them")
    #expect(long.count > 170)
    #expect(!long.contains { $0.contains("--all") })
    for line in short.dropFirst().dropLast() { #expect(line.contains("because \"load ")) }
  }

  @Test func whyOfALongChainNamesItsRoot() async throws {
    let session = Session(["run.json": try await layers(20, failing: 1).jsonBytes()])

    let lines = session.run("why run.json thrower").output.split(separator: "\n")

    #expect(lines.count == 10)
    #expect(lines[8] == "at the root, \"load 1.4\" failed: the disk is full")
  }

  @Test func whyOfAHugeConditionIsTenLines() throws {
    let pond = Pond("many")
    let parts = (0..<300).map { pond.pebble("part \($0)") {} }
    pond.pebble("mend", when: .any(parts.map(\.failed))) {}
    let session = Session(["pond.json": try pond.model().jsonBytes()])

    let lines = session.run("why pond.json mend").output.split(separator: "\n")

    #expect(lines.count == 10)
    #expect(lines.last == "… 292 lines left out; --all shows them")
  }

  @Test(arguments: [
    ("show run.json", ["✗ failed", "⊘ blocked", "✓ succeeded"]),
    ("show well.json", ["✓ succeeded", "○ not needed"]),
    (
      "compare well.json run.json",
      ["✗ newly failed", "⊘ newly blocked", "ended otherwise", "worse"]
    ),
    ("whatif well.json --fail ping", ["✗ ping", "⊘ login", "⊘ store", "✓ offline"]),
    ("whatif - --fail ping", ["fails", "is blocked", "succeeds"]),
    ("whatif -", ["succeeds", "is not needed"]),
    ("endings - --most 15", ["✗ \"load cores\"", "⊘ show", "○ offline"]),
  ])
  func whatFailedComesFirstThenWhatThatBlockedThenTheRest(
    _ line: String, _ parts: [String]
  ) throws {
    let output = try Session.withSamples().run(line).output

    var rest = output[...]
    for part in parts {
      let found = try #require(rest.firstRange(of: part), "\(part) in\n\(output)")
      rest = rest[found.upperBound...]
    }
  }

  @Test(arguments: [
    "show run.json", "show -", "why run.json show", "blame run.json", "chain run.json",
    "whatif run.json --faster show=2", "whatif - --fail show", "endings -", "lint -",
    "compare run.json slow.json", "check slow.json --pebble show=1ms", "laws - --end l*",
  ])
  func namesAreQuotedAlike(_ line: String) throws {
    let output = try Session.withSamples().run(line).output

    // In conditions, tables, trees and sentences: a name with a blank, and no other.
    #expect(output.ranges(of: "load cores").count == output.ranges(of: "\"load cores\"").count)
    #expect(!output.contains("\"show\"") && !output.contains("\"ping\""), "\(output)")
  }

  @Test func ofTwoPondsNothingIsSaid() async throws {
    let other = Pond("other boot")
    other.pebble("ping") {}
    let run = try await other.run().recorded()
    let session = Session([
      "other.json": run.jsonBytes(), "run.json": try Samples.run().jsonBytes(),
    ])

    for line in ["compare other.json run.json", "check run.json --baseline other.json"] {
      let result = session.run(line)

      #expect(result.status == 2)
      #expect(result.output == "")
      #expect(
        result.error == "pond: these are runs of two ponds, \"other boot\" and boot; give "
          + "--different-ponds if that is meant\n")
      #expect(session.run("\(line) --different-ponds").status < 2)
    }
  }

  @Test func aFailureIsNamedWithWhatHandledItAlsoThroughSkips() async throws {
    let pond = Pond("boot")
    let fetch = pond.pebble("fetch") { throw Breakdown("no\nroute") }
    let store = pond.pebble("store it", when: fetch.succeeded) {}
    pond.pebble("offline", when: store.skipped) {}
    pond.pebble("warn", when: fetch.failed) {}
    let session = Session(["run.json": try await pond.run().recorded().jsonBytes()])

    let result = session.run("check run.json")

    #expect(result.status == 0)
    #expect(result.output.hasSuffix("\n  ✗ fetch failed: no⏎route; handled by offline, warn\n"))
    #expect(
      session.run("check run.json --json").output.contains(
        "\"fetch failed: no\\nroute; handled by offline, warn\""))
  }
}
