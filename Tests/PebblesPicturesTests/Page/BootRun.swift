import Pebbles

@testable import PebblesAnalysis

/// Returns a simulated run of a boot, in which the login fails by default. A simulated run always
/// has the same times.
func bootRun(loginFails: Bool = true) throws -> RecordedRun {
  let pond = Pond("boot <of> the “test”")
  let config = pond.pebble("config") {}
  let login = pond.pebble("login/token", .uses("lines", 1, of: 1), when: config.succeeded) {}
  let cache = pond.pebble("cacheÉtagère", .uses("lines", 1, of: 1), when: config.succeeded) {}
  let home = pond.pebble("showHome", when: login.succeeded && cache.completed) {}
  let offline = pond.pebble(
    "showOffline", when: (login.failed || cache.failed).labeled("no line")
  ) {}
  pond.pebble("banner", when: offline.succeeded || home.failed) {}
  pond.pebble("tour", when: home.succeeded) {}
  let first = pond.pebble("first") {}
  let second = pond.pebble("second", when: first.succeeded) {}
  first.ready = second.succeeded
  let model = try pond.model()

  var plan = SimulationPlan()
  plan.durations = [12, 40, 85, 30, 20, 5, 8, 0, 0].map { $0 * 1_000_000 }
  if loginFails { plan.failures[1] = "no route to host" }
  return Simulator(model, plan).run()
}

/// Returns a simulated run of many pebbles in layers. Each pebble reads a few pebbles of the
/// previous layer.
func largeRun(count: Int) throws -> RecordedRun {
  let pond = Pond("large")
  var layers: [[Pebble<Void>]] = [[]]
  var generator = SplitMix64(seed: 13)
  var plan = SimulationPlan()
  for position in 0..<count {
    if layers[layers.count - 1].count == 300 { layers.append([]) }
    let before = layers.count > 1 ? layers[layers.count - 2] : []
    let read = before.isEmpty ? [] : (0..<3).map { _ in before.randomElement(using: &generator) }
    let condition = Condition.all(read.compactMap { $0?.completed })
    let name = "layer\(layers.count)/part\(position)"
    layers[layers.count - 1].append(pond.pebble(name, when: condition) {})
    plan.durations.append(.random(in: 1_000_000...9_000_000, using: &generator))
    if position % 113 == 5 { plan.failures[position] = "refused" }
  }
  return Simulator(try pond.model(), plan).run()
}
