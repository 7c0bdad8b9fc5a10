/// The services that are restarted together, and the order of their restarts.
///
/// ```
/// database ──▶ cache ──▶ http      cache and http restart with database: http is stopped, then
///     └──────────────────▲         cache; database is called again, then cache, then http
/// ```
struct RestartFamilies: Sendable {
  /// The followers of each service: the services that are restarted with it, directly or through
  /// other services.
  private(set) var followers: [Int: Set<Int>] = [:]

  /// The leaders of each follower: the services that it is restarted with, directly or through
  /// other services.
  private(set) var leaders: [Int: Set<Int>] = [:]

  /// The sources of each pebble: the restartable services whose output it takes, and its leaders.
  /// The pebble waits while one of its sources is down.
  private(set) var sources: [Int: [Int]] = [:]

  /// The services that a process starts again when it continues a recorded run, each with its
  /// predecessors. A predecessor of a service is another service that is started again, became
  /// ready earlier, and is mentioned in the service's condition, directly or through other pebbles.
  /// The service waits for its predecessors as long as they can still become ready.
  private(set) var predecessors: [Int: [Int]] = [:]

  /// The services, each with the other services of its family that must stop first.
  private(set) var stoppedBefore: [Int: Set<Int>] = [:]

  /// The services, each with the other services of its family that must be restarted first.
  private(set) var restartedBefore: [Int: Set<Int>] = [:]

  /// The services that may stay down without ending the run; empty if the pond has no services that
  /// restart.
  private(set) var dispensable: Set<Int> = []

  /// The faults in `restartsWith` traits, each with its pebble.
  private(set) var faults: [PondError.Fault] = []

  /// Creates the families of a pond in which no services are restarted together.
  init() {}

  init(_ graph: PondGraph, _ options: [UInt32: PebbleOptions]) {
    let services = options.filter(\.value.isService)
    let restarting = Set(services.filter(\.value.mayRestart).keys.map(Int.init))
    let mentions = services.filter { !$0.value.traits.restartsWith.isEmpty }
    if restarting.isEmpty, mentions.isEmpty { return }

    var direct: [Int: [Int]] = [:]
    for (pebble, options) in mentions.sorted(by: { $0.key < $1.key }) {
      let follower = Int(pebble)
      for other in options.traits.restartsWith {
        let leader = graph.position(of: other, mentionedBy: follower, options.placement)
        if let leader { direct[follower, default: []].append(leader) }
        let clause = Self.fault(of: other, at: leader, services, restarting)
        if let clause { fault(graph, follower, clause) }
      }
    }
    findCycles(graph, direct)
    guard faults.isEmpty else { return }

    for follower in direct.keys {
      let all = Self.reached(from: follower) { direct[$0] ?? [] }
      leaders[follower] = all
      for leader in all { followers[leader, default: []].insert(follower) }
    }
    for (follower, others) in direct.sorted(by: { $0.key < $1.key }) {
      for leader in Set(others).sorted() {
        if let clause = pathFault(from: leader, to: follower, graph) {
          fault(graph, follower, clause)
        }
      }
    }
    dispensable = Set(services.filter(\.value.isDispensable).keys.map(Int.init))
    let mayRestart = restarting.union(direct.keys)
    for pebble in graph.names.indices where graph.hasInputs(pebble) {
      let read = graph.pebblesRead(by: pebble).filter(mayRestart.contains)
      let all = leaders[pebble, default: []].union(read).sorted()
      if !all.isEmpty { sources[pebble] = all }
    }
  }

  /// Returns these families, extended for a process that continues a recorded run and starts some
  /// services again.
  ///
  /// - Parameters:
  ///   - services: The services to start again, in the order in which they became ready in earlier
  ///     processes.
  ///   - graph: The pond.
  /// - Returns: The extended families.
  func adding(_ services: [Int], _ graph: PondGraph) -> RestartFamilies {
    guard !services.isEmpty else { return self }
    var families = self
    let restored = Set(services)
    for pebble in graph.names.indices where graph.hasInputs(pebble) {
      let read = graph.pebblesRead(by: pebble).filter(restored.contains)
      if !read.isEmpty {
        families.sources[pebble] = Set(sources[pebble] ?? []).union(read).sorted()
      }
    }
    for (place, service) in services.enumerated() where place > 0 {
      let mentioned = Self.reached(from: service) { graph.pebblesMentioned(by: $0) }
      let earlier = services[..<place].filter(mentioned.contains)
      if !earlier.isEmpty { families.predecessors[service] = earlier }
    }
    return families
  }

  /// Returns all nodes that can be reached from `start`. The result contains `start` itself only if
  /// `start` lies on a cycle.
  private static func reached(from start: Int, along next: (Int) -> [Int]) -> Set<Int> {
    var known: Set<Int> = []
    var pending = next(start)
    while let node = pending.popLast() {
      if known.insert(node).inserted { pending += next(node) }
    }
    return known
  }
}

// MARK: Faults

extension RestartFamilies {
  private mutating func fault(_ graph: PondGraph, _ pebble: Int, _ clause: String) {
    faults.append(.invalidOption(pebble: graph.names[pebble], problem: clause))
  }

  private static func fault(
    of other: PebbleID, at position: Int?, _ services: [UInt32: PebbleOptions],
    _ restarting: Set<Int>
  ) -> String? {
    let name = other.description.swiftLiteral
    guard let position else {
      return "cannot restart with \(name), which the pond does not have"
    }
    guard let service = services[UInt32(position)] else {
      return "cannot restart with \(name), which is not a service"
    }
    if restarting.contains(position) || !service.traits.restartsWith.isEmpty { return nil }
    return "cannot restart with \(name), which is never restarted; "
      + "give \(name) .ending(.restart(_:))"
  }

  private mutating func findCycles(_ graph: PondGraph, _ direct: [Int: [Int]]) {
    for follower in direct.keys.sorted()
    where Self.reached(from: follower, along: { direct[$0] ?? [] }).contains(follower) {
      fault(graph, follower, "cannot restart with itself")
    }
  }

  /// Checks the paths on which the output of `leader` reaches `follower`, a service that restarts
  /// with `leader`. There must be a path on which every pebble between the two is a service that
  /// restarts with `leader`, directly or through other services.
  ///
  /// - Returns: The fault; `nil` if there is such a path.
  private func pathFault(from leader: Int, to follower: Int, _ graph: PondGraph) -> String? {
    let companions = followers[leader] ?? []
    let takers = Self.reached(from: follower) { graph.pebblesRead(by: $0) }
    let name = graph.names[leader].swiftLiteral
    guard takers.contains(leader) else {
      return "cannot restart with \(name): it does not take the output of \(name)"
    }
    let good = Self.reached(from: follower) { pebble in
      graph.pebblesRead(by: pebble).filter { $0 == leader || companions.contains($0) }
    }
    if good.contains(leader) { return nil }
    let between = takers.sorted().first { pebble in
      !companions.contains(pebble) && pebble != leader
        && Self.reached(from: pebble) { graph.pebblesRead(by: $0) }.contains(leader)
    }
    guard let between else { return nil }
    return "cannot restart with \(name): it takes the output of \(name) through "
      + "\(graph.names[between].swiftLiteral), which does not restart with \(name)"
  }
}

// MARK: Order

extension RestartFamilies {
  /// Finds the orders in which services are stopped and restarted. The services stop in the same
  /// order as in a shutdown of a run in which everything that the conditions mention has happened.
  ///
  /// - Parameters:
  ///   - stopsBefore: The services with `stopsBefore`, each with the pebbles that are torn down
  ///     after it.
  ///   - graph: The pond.
  /// - Complexity: O(services of families × atoms of the pond).
  mutating func findOrder(_ stopsBefore: [Int: [Int]], _ graph: PondGraph) {
    let members = Set(leaders.keys).union(followers.keys)
    guard !members.isEmpty else { return }
    var mentioned: [Int: Set<Int>] = [:]
    var taken: [Int: Set<Int>] = [:]
    for member in members {
      mentioned[member] = Self.reached(from: member) { graph.pebblesMentioned(by: $0) }
        .intersection(members)
      taken[member] = Self.reached(from: member) { graph.pebblesRead(by: $0) }
        .intersection(members)
    }
    // Two services can mention each other in an OR. The one that takes the other's output is later.
    for member in members {
      restartedBefore[member] = (mentioned[member] ?? []).filter { other in
        mentioned[other]?.contains(member) != true || taken[member]?.contains(other) == true
      }
      restartedBefore[member]?.remove(member)
    }
    findStops(members, stopsBefore)
    for (leader, followers) in followers {
      for follower in followers.sorted() where stoppedBefore[follower]?.contains(leader) == true {
        fault(
          graph, leader,
          "cannot stop before \(graph.names[follower].swiftLiteral), which restarts with it")
      }
    }
    for first in stopsBefore.keys.sorted() where members.contains(first) {
      for other in stopsBefore[first] ?? [] where members.contains(other) {
        let before = Self.reached(from: other) { Array(restartedBefore[$0] ?? []) }
        if !before.contains(first) { restartedBefore[first]?.insert(other) }
      }
    }
  }

  private mutating func findStops(_ members: Set<Int>, _ stopsBefore: [Int: [Int]]) {
    var order = TeardownOrder()
    var steps: [Int: Int] = [:]
    let sorted = members.sorted { one, other in
      (restartedBefore[other]?.count ?? 0, one) < (restartedBefore[one]?.count ?? 0, other)
    }
    for member in sorted {
      let dependents = members.filter { restartedBefore[$0]?.contains(member) == true }
      order.append(member, after: dependents.compactMap { steps[$0] }.sorted())
      steps[member] = order.pebbles.count - 1
    }
    order = order.stopping(before: stopsBefore)
    var all: [Set<Int>] = []
    for (step, member) in order.pebbles.enumerated() {
      let dependents = order.dependents(of: step)
      all.append(
        dependents.reduce(into: Set(dependents.compactMap { order.pebbles[$0] })) {
          $0.formUnion(all[$1])
        })
      if let member { stoppedBefore[member] = all[step] }
    }
  }
}

extension PebbleOptions {
  /// Whether the service is restarted if it ends.
  var mayRestart: Bool {
    if case .restart? = traits.ending?.kind { true } else { false }
  }

  /// Whether the run continues without the service if the service stays down.
  fileprivate var isDispensable: Bool {
    if case .ignore? = traits.ending?.kind { true } else { false }
  }
}
