import Pebbles
import PebblesAnalysis
import PebblesPictures

/// The answer for a pond that has neither laws nor a goal. It counts the endings by the number of
/// end pebbles that run. No law is checked, so any number of end pebbles may run.
struct EndCount {
  private let ends: PondEnds
  private let scenarios: Scenarios
  private let counted: LawTrial

  /// The trial that also counts stand-ins as end pebbles; `nil` if there are no stand-ins. See
  /// `PondEnds`.
  private let all: LawTrial?

  /// Counts the endings of a pond by the number of end pebbles that run. Returns `nil` if the pond
  /// has no end pebbles.
  init?(_ scenarios: Scenarios, _ run: RecordedRun?) throws {
    let (model, ends) = (scenarios.model, PondEnds(of: scenarios.model))
    let others = ends.standIns.map(\.pebble)
    guard !ends.positions.isEmpty else { return nil }
    self.ends = ends
    self.scenarios = scenarios
    counted = try LawTrial(try model.oneEnd(ends.positions), scenarios, run)
    all =
      others.isEmpty
      ? nil : try LawTrial(try model.oneEnd((ends.positions + others).sorted()), scenarios, run)
  }

  var printout: Printout {
    let unknown = "it is not known how many of them run"
    var printout = Printout()
    printout.line("ends, the pebbles that no other waits for:", .heading)
    for condition in counted.result.law.alternatives {
      printout.line("  \("\(condition)".truncated(to: 100))")
    }
    printout.line(counted.counts ?? unknown)
    if let all {
      let standIns = standIns.map {
        "\($0.pebble.inColumn), which stands in for \($0.original.inColumn)"
      }
      printout.line("not counted: \(standIns.joined(separator: "; "))")
      printout.line("with these, \(all.counts ?? unknown)")
    }
    printout.line("give --end NAME for each pebble of which exactly one should run", .faint)
    return printout
  }

  private var standIns: [(pebble: String, original: String)] {
    let names = scenarios.model.names
    return ends.standIns.map { (names[$0.pebble], names[$0.original]) }
  }

  var json: JSON {
    .object([
      "endings": .count(scenarios.largeCount), "endingsAbout": .about(scenarios.largeCount),
      "laws": .list([counted.json]),
      "notCounted": .list(
        standIns.map { .object(["name": .text($0.pebble), "standsInFor": .text($0.original)]) }),
    ])
  }
}
