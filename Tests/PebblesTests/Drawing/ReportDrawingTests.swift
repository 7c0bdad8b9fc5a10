import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ReportDrawingTests {
  @Test func pebblesAreColouredByOutcome() async throws {
    let dot = try await BootPond(coresFail: true).pond.run(clock: ManualClock()).dot()

    #expect(line(of: "loadLaunches", in: dot).contains("fillcolor=\"#e8f5e9\""))
    #expect(line(of: "loadLaunches", in: dot).contains("\\n0 ns\""))
    #expect(line(of: "loadCores", in: dot).contains("fillcolor=\"#ffebee\""))
    #expect(line(of: "loadCores", in: dot).contains("a comma is missing"))
    #expect(line(of: "showOffline", in: dot).contains("dashed"))
    #expect(
      line(of: "showOffline", in: dot).contains("ping to fail, but ping succeeded\""))
  }

  @Test func theTitleSaysWhatRanAndHowLong() async throws {
    let clock = ManualClock()
    let pond = Pond("boot")
    pond.pebble("slow") { clock.advance(by: .milliseconds(12)) }

    let dot = try await pond.run(clock: clock).dot()

    #expect(dot.hasPrefix("digraph \"boot, 12.0 ms\" {\n"))
    #expect(line(of: "slow", in: dot).contains("12.0 ms"))
  }

  @Test func linesThatDidNotComeTrueArePaleUnlessTheyDecided() async throws {
    let pond = Pond("lines")
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    pond.pebble("taken", when: second.succeeded || first.failed) {}
    pond.pebble("notTaken", when: first.failed) {}

    let dot = try await pond.run().dot()

    let lines = dot.split(separator: "\n").filter { $0.contains("->") }
    #expect(lines.filter { $0.contains("#cfd8dc") }.map { $0.prefix(10) } == ["  p0 -> g2"])
    #expect(lines.filter { $0.contains("#455a64") }.map { $0.prefix(10) } == ["  p0 -> p3"])
    #expect(lines.count == 5)
  }

  @Test func aPaleLineHasOneColour() async throws {
    let pond = Pond("lines")
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    for (number, atom) in [first.failed, first.skipped, !first.succeeded].enumerated() {
      pond.pebble("taken\(number)", when: second.succeeded || atom) {}
    }

    let lines = try await pond.run().dot().split(separator: "\n").filter {
      $0.contains("p0 -> g")
    }

    #expect(lines.count == 3)
    for line in lines {
      #expect(line.contains("color=\"#cfd8dc\", fontcolor=\"#90a4ae\""))
      // One `color=`, and the one in `fontcolor=`.
      #expect(line.split(separator: "color=").count == 3)
    }
  }

  @Test func aStallAndACancellationAreTold() async throws {
    let pond = Pond("endings")
    let own = pond.pebble("own") {}
    own.ready = own.succeeded
    let report = try await pond.run()

    #expect(line(of: "own", in: report.dot()).contains("stalled"))
    #expect(report.mermaid().contains("p0[\"own\"]:::stalled"))
  }

  @Test func aReportDrawsTheDefinitionOfItsRun() async throws {
    let pond = Pond("snapshot")
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    let report = try await pond.run()

    second.ready = first.failed
    pond.pebble("third") {}

    #expect(!report.dot().contains("third"))
    #expect(!report.dot().contains("label=\"failed\""))
    #expect(pond.dot().contains("label=\"failed\""))
  }

  @Test func mermaidColoursTheSameOutcomes() async throws {
    let mermaid = try await BootPond(coresFail: true).pond.run(clock: ManualClock()).mermaid()

    #expect(mermaid.contains("p0[\"loadLaunches<br/>0 ns\"]:::succeeded\n"))
    #expect(mermaid.contains("p1[\"loadCores<br/>0 ns\"]:::failed\n"))
    #expect(mermaid.contains("p4[\"showOffline\"]:::skipped\n"))
    for name in ["succeeded", "failed", "skipped", "blocked", "stalled"] {
      #expect(mermaid.contains("classDef \(name) "))
    }
  }

  @Test func whatIsSkippedWhileARunIsDrawnIsNotDrawnAsNotNeeded() {
    let pond = Pond("drawn")
    pond.pebble("broken") {}
    let slow = pond.pebble("slow") {}
    pond.pebble("next", when: slow.succeeded) {}
    let storage = RunStorage(pond.program().pond)
    let state = storage.state
    var decisions = Decisions()
    state.begin(into: &decisions)
    for pebble in 0...1 { state.pebbleStarted(pebble, at: 0) }
    // While the first is drawn, the second fails.
    let error = EventfulError {
      guard state.claimEnd(of: 1) else { return }
      var decisions = Decisions()
      state.pebbleFinished(1, succeeded: false, at: 2, into: &decisions)
    }
    storage.bodyFailed(with: error, at: 0)
    storage.bodyFailed(with: Breakdown(), at: 1)
    state.pebbleFinished(0, succeeded: false, at: 1, into: &decisions)

    let drawing = Drawing(storage.pond, title: "drawn", storage, now: 3)

    #expect(drawing.nodes.prefix(3).map(\.status) == [.failed, .running, .waiting])
    #expect(state.status(of: 2) == .skippedByCondition)
  }

  private func line(of name: String, in dot: String) -> Substring {
    dot.split(separator: "\n").first { $0.contains("label=\"\(name)\\n") } ?? ""
  }
}

/// An error that calls a closure whenever its text is read.
private struct EventfulError: Error, CustomStringConvertible {
  let happen: @Sendable () -> Void

  var description: String {
    happen()
    return "no route"
  }
}
