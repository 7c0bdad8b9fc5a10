import Pebbles
import Workloads

/// The shape of a realistic pond with empty bodies and an approximately selectable size.
enum BootShape: String, CaseIterable {
  /// Copies of the published boot of an app, one for each tenant.
  case boots

  /// Layers of ten components. Each component waits for up to three components of the previous
  /// layer, and most components have a fallback.
  case fallbacks

  /// Subsystems of eight pebbles with a feature flag. Each subsystem depends on one or two earlier
  /// subsystems.
  case service

  /// Eight chains of steps. If a step fails, the next step uses the corresponding step of the
  /// neighbouring chain instead.
  case mirrors

  /// A sequence of pebbles with random conditions. Each condition is an OR of two ANDs over four of
  /// the ten preceding pebbles.
  case randomBoolean = "random boolean"

  /// A pebble that would run only if two conditions for the same quorum differed. The conditions
  /// count the replicas in different orders, so the pebble never runs.
  case quorum

  var sizes: [Int] { self == .quorum ? [8, 16, 24] : [20, 100, 300, 1_000] }

  func pond(of size: Int) -> Pond {
    let pond = Pond(rawValue)
    var generator = SeededGenerator(seed: 2006)
    switch self {
    case .boots: addBoots(to: pond, size)
    case .fallbacks: addFallbacks(to: pond, size, &generator)
    case .service: addService(to: pond, size, &generator)
    case .mirrors: addMirrors(to: pond, size)
    case .randomBoolean: addRandomConditions(to: pond, size, &generator)
    case .quorum: addQuorum(to: pond, size, &generator)
    }
    return pond
  }

  private func addFallbacks(to pond: Pond, _ size: Int, _ generator: inout SeededGenerator) {
    var (before, layer): ([Condition], [Condition]) = ([], [])
    var count = 0
    while count < size {
      let needed = generator.distinct(.random(in: 1...3, using: &generator), from: before.indices)
      let main = pond.pebble("main \(count)", when: .all(needed.map { before[$0] })) {}
      count += 1
      var isThere = main.succeeded
      if count < size, .random(in: 0..<10, using: &generator) < 6 {
        let fallback = pond.pebble("fallback \(count)", when: main.failed) {}
        count += 1
        isThere = isThere || fallback.succeeded
      }
      layer.append(isThere)
      if layer.count == 10 { (before, layer) = (layer, []) }
    }
  }

  private func addService(to pond: Pond, _ size: Int, _ generator: inout SeededGenerator) {
    let config = pond.pebble("config") {}
    let flags = pond.pebble("flags", when: config.succeeded) {}
    let database = pond.pebble("database", when: config.succeeded) {}
    var (serving, isThere): ([Pebble<Void>], [Condition]) = ([], [])
    for number in 0..<max(1, (size - 6) / 8) {
      let count = Int.random(in: 1...2, using: &generator)
      let needed = generator.distinct(count, from: isThere.indices).map { isThere[$0] }
      let base = needed.isEmpty ? config.succeeded : .all(needed)
      func pebble(_ name: String, _ condition: Condition) -> Pebble<Void> {
        pond.pebble("\(name) \(number)", when: condition) {}
      }
      let feature = pond.pebble("feature \(number)", .enabled { true }, when: flags.completed) {}
      let connect = pebble("connect", base)
      let migrate = pebble("migrate", database.succeeded && connect.succeeded)
      let cache = pebble("cache", connect.succeeded && feature.succeeded)
      let warm = pebble("warm", cache.succeeded && migrate.completed)
      let isComplete = cache.succeeded || feature.skipped || feature.failed
      let serve = pebble("serve", migrate.succeeded && isComplete)
      let degraded = pebble("degraded", base && serve.settled && !serve.succeeded)
      let hasFailure = serve.failed || connect.failed || migrate.failed
      _ = pebble("log", warm.settled && hasFailure)
      serving.append(serve)
      isThere.append(serve.succeeded || degraded.succeeded)
    }
    let ready = pond.pebble("ready", when: .all(serving.map(\.succeeded))) {}
    let isPartlyReady = Condition.any(serving.map(\.succeeded))
    pond.pebble("partly ready", when: ready.skipped && isPartlyReady) {}
    pond.pebble("offline", when: ready.skipped && !isPartlyReady && config.completed) {}
  }

  private func addMirrors(to pond: Pond, _ size: Int) {
    let width = 8
    var pebbles: [Pebble<Void>] = []
    for number in 0..<size {
      var condition = Condition.always
      if number >= width {
        let own = pebbles[number - width]
        let neighbour = pebbles[(number / width - 1) * width + (number + 1) % width]
        condition = own.succeeded || (own.failed && neighbour.succeeded)
      }
      pebbles.append(pond.pebble("step \(number)", when: condition) {})
    }
  }

  private func addRandomConditions(
    to pond: Pond, _ size: Int, _ generator: inout SeededGenerator
  ) {
    var pebbles: [Pebble<Void>] = []
    for number in 0..<size {
      var condition = Condition.always
      if number >= 4 {
        let atoms = generator.distinct(4, from: max(0, number - 10)..<number).map { place in
          switch Int.random(in: 0..<12, using: &generator) {
          case 0..<5: pebbles[place].succeeded
          case 5..<7: pebbles[place].completed
          case 7..<10: pebbles[place].settled
          case 10: pebbles[place].failed
          default: pebbles[place].skipped
          }
        }
        condition = (atoms[0] && atoms[1]) || (atoms[2] && atoms[3])
      }
      pebbles.append(pond.pebble("\(number)", when: condition) {})
    }
  }

  private func addQuorum(to pond: Pond, _ size: Int, _ generator: inout SeededGenerator) {
    let replicas = (0..<size).map { pond.pebble("replica \($0)") {} }
    /// Returns the condition that at least half of the replicas succeed. The condition is built by
    /// counting the replicas in the given order.
    func quorum(of replicas: [Pebble<Void>]) -> Condition {
      var reached = [Condition.always] + Array(repeating: .never, count: size / 2)
      for replica in replicas {
        for count in (1..<reached.count).reversed() {
          reached[count] = reached[count] || (reached[count - 1] && replica.succeeded)
        }
      }
      return reached[size / 2]
    }
    let other = quorum(of: replicas.shuffled(using: &generator))
    pond.pebble("never", when: quorum(of: replicas) && !other) {}
  }
}
