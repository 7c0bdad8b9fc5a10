import Pebbles

@testable import PebblesAnalysis

extension Pond {
  func simulated(
    durations: [UInt64] = [], _ change: (inout SimulationPlan) -> Void = { _ in }
  ) throws -> RecordedRun {
    var plan = SimulationPlan()
    plan.durations = durations
    change(&plan)
    return Simulator(try model(), plan).run()
  }
}

/// The times at which a pebble was ready, started and finished, in nanoseconds.
struct PebbleTimes: Equatable {
  let ready: UInt64?
  let started: UInt64?
  let finished: UInt64

  init(_ ready: UInt64?, _ started: UInt64?, _ finished: UInt64) {
    self.ready = ready
    self.started = started
    self.finished = finished
  }
}

extension RecordedRun {
  var times: [PebbleTimes] {
    pebbles.map {
      PebbleTimes($0.ready?.nanoseconds, $0.started?.nanoseconds, $0.finished.nanoseconds)
    }
  }
}
