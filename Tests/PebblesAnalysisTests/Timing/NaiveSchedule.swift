import Pebbles
import PebblesTestSupport

@testable import PebblesAnalysis

/// A pond without cycles in which every pebble succeeds, and its schedule. The schedule is
/// determined tick by tick, by slow code that was written independently of the simulator.
struct NaiveSchedule {
  indirect enum Formula {
    case pebble(Int)
    case all([Formula])
    case any([Formula])

    func isTrue(_ done: (Int) -> Bool) -> Bool {
      switch self {
      case .pebble(let pebble): done(pebble)
      case .all(let parts): parts.allSatisfy { $0.isTrue(done) }
      case .any(let parts): parts.contains { $0.isTrue(done) }
      }
    }

    func condition(_ pebbles: [Pebble<Void>]) -> Condition {
      switch self {
      case .pebble(let pebble): pebbles[pebble].succeeded
      case .all(let parts): .all(parts.map { $0.condition(pebbles) })
      case .any(let parts): .any(parts.map { $0.condition(pebbles) })
      }
    }
  }

  var formulas: [Formula]
  var durations: [Int]
  var priorities: [Int]
  /// The units of `database` that each pebble holds, indexed by pebble.
  var units: [Int]
  var capacity = 3
  var mainActor: Set<Int> = []
  var most: Int?
  /// The rank of each pebble among those of equal priority, indexed by pebble. If the array is
  /// empty, pebbles are ranked in definition order.
  var ranks: [Int] = []

  static func random(
    count: Int, withOrs: Bool, withLimits: Bool, using generator: inout SeededGenerator
  ) -> NaiveSchedule {
    func formula(_ pebble: Int, depth: Int) -> Formula {
      let parts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        depth > 0 && Int.random(in: 0..<3, using: &generator) == 0
          ? formula(pebble, depth: depth - 1)
          : Formula.pebble(Int.random(in: 0..<pebble, using: &generator))
      }
      return withOrs && !parts.isEmpty && Bool.random(using: &generator) ? .any(parts) : .all(parts)
    }
    let pebbles = 0..<count
    var schedule = NaiveSchedule(
      formulas: pebbles.map { $0 == 0 ? .all([]) : formula($0, depth: 2) },
      durations: pebbles.map { _ in Int.random(in: 0...5, using: &generator) },
      priorities: pebbles.map { _ in 0 }, units: pebbles.map { _ in 0 })
    guard withLimits else { return schedule }
    schedule.priorities = pebbles.map { _ in Int.random(in: 0...1, using: &generator) }
    schedule.units = pebbles.map { _ in max(0, Int.random(in: -2...3, using: &generator)) }
    schedule.mainActor = Set(pebbles.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 })
    schedule.most = Bool.random(using: &generator) ? Int.random(in: 1...3, using: &generator) : nil
    return schedule
  }

  var pond: Pond {
    let pond = Pond("naive", maxConcurrent: most)
    var pebbles: [Pebble<Void>] = []
    for index in formulas.indices {
      let name = "p\(index)"
      pebbles.append(
        units[index] == 0
          ? pond.pebble(name, .priority(priorities[index])) {}
          : pond.pebble(
            name, .uses("database", units[index], of: capacity), .priority(priorities[index])
          ) {})
    }
    for index in formulas.indices { pebbles[index].ready = formulas[index].condition(pebbles) }
    return pond
  }

  func simulated() throws -> RecordedRun {
    try pond.simulated(durations: durations.map(UInt64.init)) { $0.mainActor = mainActor }
  }

  /// Returns the tick at which each pebble starts.
  func starts() -> [Int] {
    var starts = [Int?](repeating: nil, count: formulas.count)
    var done = Set<Int>()
    var now = 0
    while done.count < formulas.count {
      var isChanging = true
      while isChanging {
        let ended = formulas.indices.filter { pebble in
          guard let start = starts[pebble], !done.contains(pebble) else { return false }
          return start + durations[pebble] <= now
        }
        done.formUnion(ended)
        var started = 0
        while let next = nextToStart(starts, done) {
          starts[next] = now
          started += 1
        }
        isChanging = started + ended.count > 0
      }
      now += 1
    }
    return starts.map { $0 ?? -1 }
  }

  var makespan: Int { zip(starts(), durations).map { $0 + $1 }.max() ?? 0 }

  /// Returns the best pebble that can start: all that it needs is free, and no better pebble waits
  /// for any of that.
  private func nextToStart(_ starts: [Int?], _ done: Set<Int>) -> Int? {
    let waiting = formulas.indices.filter { pebble in
      starts[pebble] == nil && formulas[pebble].isTrue(done.contains)
    }
    let running = formulas.indices.filter { starts[$0] != nil && !done.contains($0) }
    guard running.count < most ?? .max else { return nil }
    let freeUnits = capacity - running.reduce(0) { $0 + units[$1] }
    let isMainFree = !running.contains(where: mainActor.contains)
    let inOrder = waiting.sorted { rank($0) < rank($1) }
    for (place, pebble) in inOrder.enumerated() {
      let better = inOrder[..<place]
      if units[pebble] > 0 {
        guard units[pebble] <= freeUnits, !better.contains(where: { units[$0] > 0 }) else {
          continue
        }
      }
      if mainActor.contains(pebble) {
        guard isMainFree, !better.contains(where: mainActor.contains) else { continue }
      }
      return pebble
    }
    return nil
  }

  private func rank(_ pebble: Int) -> (Int, Int) {
    (-priorities[pebble], ranks.isEmpty ? pebble : ranks[pebble])
  }
}
