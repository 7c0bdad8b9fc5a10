import Pebbles
import PebblesAnalysis
import Testing

@testable import PebblesPictures

/// Tests of the layout of timelines of random runs.
@Suite struct TimelineLayoutTests {
  @Test func labelsOverlapNoBarAndNoOtherLabel() throws {
    for seed in 0..<120 {
      var random = RandomRun(seed: UInt64(seed))
      let layout = TimelineLayout(RunFacts(try random.run(of: [1, 3, 12, 60, 130][seed % 5])))
      let shapes = layout.rows.flatMap { [$0.bar] + [$0.wait?.place].compactMap(\.self) }
      let labels = layout.rows.compactMap(\.labelPlace)

      #expect(labels.count == layout.rows.count)
      for (number, label) in labels.enumerated() {
        #expect(layout.plot.contains(label))
        #expect(!shapes.contains { $0.overlaps(label) }, "seed \(seed), row \(number)")
        #expect(!labels[..<number].contains { $0.overlaps(label) }, "seed \(seed), row \(number)")
        #expect(
          !layout.axes.contains { label.minY < $0 && $0 - TimelineLayout.fontSize < label.maxY })
      }
    }
  }

  @Test func labelsAreInTheirOwnRow() throws {
    for seed in 0..<20 {
      var random = RandomRun(seed: UInt64(seed))
      let rows = TimelineLayout(RunFacts(try random.run(of: 60))).rows

      for (row, next) in zip(rows, rows.dropFirst()) {
        let label = try #require(row.labelPlace)
        #expect(label.maxY <= next.bar.minY)
        #expect(try label.minY < #require(next.labelPlace).minY)
      }
    }
  }

  @Test func barsAreByStartAndAsLongAsTheyTook() throws {
    for seed in 0..<20 {
      var random = RandomRun(seed: UInt64(seed))
      let layout = TimelineLayout(RunFacts(try random.run(of: 60)))

      for (row, next) in zip(layout.rows, layout.rows.dropFirst()) {
        #expect(row.row.begin <= next.row.begin)
        #expect(row.bar.maxY < next.bar.minY)
      }
      for row in layout.rows {
        #expect(layout.plot.contains(row.bar))
        let pebble = try #require(row.row.pebble)
        guard layout.facts.run.pebbles[pebble].outcome.isCompleted else { continue }
        #expect(row.bar.width + 0.01 >= layout.scale.x(at: row.row.end) - row.bar.minX)
        #expect(row.bar.width > 1.99)
      }
    }
  }

  @Test func arrowsLeadAlongTheLongestChain() throws {
    for seed in 0..<20 {
      var random = RandomRun(seed: UInt64(seed))
      let layout = TimelineLayout(RunFacts(try random.run(of: 40)))

      #expect(layout.arrows.count == max(0, layout.facts.chain.count - 1))
      for arrow in layout.arrows {
        #expect(arrow.points.count >= 2)
        for (one, other) in zip(arrow.points, arrow.points.dropFirst()) {
          #expect(one.x == other.x || one.y == other.y)
        }
      }
    }
  }

  @Test func largeRunsAreGroupedAroundTheChainAndTheFailures() throws {
    var random = RandomRun(seed: 4)
    let facts = RunFacts(try random.run(of: 1_500))

    let rows = facts.timelineRows(mostRows: 1_000)

    let single = Set(rows.compactMap(\.pebble))
    #expect(facts.chain.allSatisfy { single.contains($0.position) })
    for pebble in facts.run.pebbles.indices where facts.run.pebbles[pebble].outcome.isFailed {
      #expect(single.contains(pebble))
    }
    #expect(rows.flatMap(\.pebbles).sorted() == Array(0..<1_500))
    #expect(rows.contains { $0.pebbles.count > 1 })
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.begin <= $1.begin })
    #expect(facts.timelineRows(mostRows: 1_500).count == 1_500)
  }

  @Test func groupsAreClustersIfThoseSaySomething() throws {
    let pond = Pond("boot")
    for number in 0..<4 {
      let part = Pond("part")
      for pebble in 0..<10 { part.pebble("p\(pebble)") {} }
      pond.add(part, as: "part\(number)")
    }
    var plan = SimulationPlan()
    plan.durations = Array(repeating: 10, count: 40)
    let facts = RunFacts(Simulator(try pond.model(), plan).run())

    let rows = facts.timelineRows(mostRows: 20)

    #expect(rows.compactMap(\.groupName).sorted() == ["part0", "part1", "part2", "part3"])
    let group = try #require(rows.first { $0.groupName == "part1" })
    #expect(facts.label(of: group) == "part1: 10 ✓ · 10 ns")
  }

  @Test(
    arguments: [
      (0, ["0"]), (1, ["0", "1 ns"]), (950, ["0", "200 ns", "400 ns", "600 ns", "800 ns"]),
      (1_300_000_000, ["0", "0.2 s", "0.4 s", "0.6 s", "0.8 s", "1 s", "1.2 s"]),
      (2_000_000, ["0", "0.5 ms", "1 ms", "1.5 ms", "2 ms"]),
      (45_000_000_000, ["0", "10 s", "20 s", "30 s", "40 s"]),
    ] as [(UInt64, [String])])
  func ticksAreRoundMoments(total: UInt64, texts: [String]) {
    let scale = TimeScale(minX: 0, maxX: 100, total: total)

    #expect(scale.ticks(atMost: 7).map(\.text) == (total == 0 ? ["0", "1 ns"] : texts))
  }

  @Test func eventTheLongestTimeHasTicks() {
    let ticks = TimeScale(minX: 0, maxX: 100, total: .max).ticks(atMost: 8)

    #expect((2...9).contains(ticks.count))
    #expect(ticks.allSatisfy { $0.text.hasSuffix(" s") || $0.time == 0 })
  }
}
