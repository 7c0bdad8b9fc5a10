import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests that simulated runs of random ponds have the same outcomes as a slow but obviously correct
/// reference, regardless of the times.
@Suite(.watched) struct SimulatorAgainstReferenceTests {
  @Test(arguments: 0..<8)
  func simulationEndsAsTheReferenceDoes(shard: Int) throws {
    var generator = SeededGenerator(seed: 7_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(50) {
      let pond = ReferencePond.random(
        mostPebbles: 10, withCases: shard >= 4, using: &generator)
      var reference = ReferenceRun(pond)
      reference.run { $0[0] }
      let run = try pond.simulated(using: &generator)

      guard run.referenceOutcomes != reference.outcomes else { continue }
      Issue.record("\(run.pebbles.map(\.outcome)) instead of \(reference.outcomes):\n\(pond)")
      return
    }
  }

  @Test func simulationEndsAsARealRunDoes() async throws {
    var generator = SeededGenerator(seed: 7_100)
    for number in 0..<200 {
      let pond = ReferencePond.random(
        mostPebbles: 12, withCases: number.isMultiple(of: 2), using: &generator)
      let run = try pond.simulated(using: &generator)
      let report = try await pond.definedPond().run()

      let same = zip(run.pebbles, report.records).allSatisfy { simulated, real in
        switch (simulated.outcome, real.outcome) {
        case (.succeeded, .succeeded), (.failed, .failed): true
        case (.skipped(let one), .skipped(let other)):
          one == other || one.isConditionFalse && other.isConditionFalse
        default: false
        }
      }
      guard !same || run.pebbles.map(\.cases) != report.records.map(\.cases) else { continue }
      Issue.record("\(run.pebbles.map(\.outcome)) instead of \(report):\n\(pond)")
      return
    }
  }
}

extension ReferencePond {
  /// Returns a simulated run of the pond with random durations on a random machine.
  func simulated(using generator: inout SeededGenerator) throws -> RecordedRun {
    let pond = definedPond()
    let model = try pond.model()
    var plan = SimulationPlan()
    plan.durations = succeeds.map { _ in UInt64.random(in: 0...4, using: &generator) }
    for (pebble, succeeds) in succeeds.enumerated() where !succeeds { plan.failures[pebble] = "" }
    for pebble in cases.indices { plan.cases[pebble] = caseSet(of: pebble) }
    plan.workers = [nil, 1, 2].randomElement(using: &generator) ?? nil
    plan.mainActor = Set(succeeds.indices.filter { $0.isMultiple(of: 3) })
    return Simulator(model, plan).run()
  }
}

extension RecordedRun {
  /// The outcomes in the form that the reference uses.
  var referenceOutcomes: [ReferenceOutcome?] {
    let positions = Dictionary(uniqueKeysWithValues: zip(model.names, 0...))
    return pebbles.map { pebble in
      switch pebble.outcome {
      case .succeeded: .succeeded
      case .failed: .failed
      case .skipped(let reason):
        switch reason {
        case .conditionFalse: .skipped(.condition)
        case .stalled(let names):
          .skipped(.stall(waitingOn: Set(names.compactMap { positions[$0] })))
        case .cancelled, .disabled, .notAskedFor, .resourceHeld, .notInRun: nil
        }
      }
    }
  }
}
