import Pebbles
import PebblesTestSupport

@testable import PebblesAnalysis

/// A pond with a goal and every kind of case, on outputs and on errors.
struct CasePond {
  enum Side: CaseIterable {
    case heads, tails
  }

  let pond = Pond("cases")

  init() {
    let database = pond.pebble("database") {}
    let locked = database.failed("locked") { _ in false }
    let full = database.failed("full") { _ in false }
    let settings = pond.pebble("settings") { 7 }
    let isBeta = settings.succeeded("beta") { _ in false }
    let flip = pond.pebble("flip", when: settings.completed) { Side.heads }
    pond.pebble("unlock", when: locked) {}
    pond.pebble("makeRoom", when: full && !locked) {}
    pond.pebble("broken", when: database.failed && !(locked || full)) {}
    pond.pebble("beta", when: isBeta) {}
    let won = pond.pebble("won", when: flip.is(.heads)) {}
    let lost = pond.pebble("lost", when: flip.is(.tails) || flip.timedOut) {}
    pond.pebble("home", when: won.succeeded || lost.succeeded) {}
    pond.goal = (won.succeeded && !isBeta).labeled("won for all")
  }

  /// Returns a run in which the database fails as locked and the coin shows tails.
  func run() throws -> RecordedRun {
    let model = try pond.model()
    var plan = SimulationPlan()
    plan.failures[0] = "the lock is held"
    plan.cases[0] = CaseSet(bits: 0b1)
    plan.cases[1] = CaseSet(bits: 0b1)
    plan.cases[2] = CaseSet(bits: 0b10)
    plan.durations = Array(repeating: 1_000_000, count: model.count)
    return Simulator(model, plan).run()
  }
}
