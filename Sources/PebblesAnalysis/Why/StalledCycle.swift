import Pebbles

/// A small set of pebbles that is enough to see why one of them was skipped in a stall: each waits
/// for others of the set, and none could be decided without them.
///
/// An AND stays undecided as long as one operand does, so one is enough; an OR needs all of those
/// it waits for. The first way is the shortest one from the pebble back to itself; what ORs on it
/// wait for besides is added, each by the shortest way to what is there already. With nothing but
/// ANDs this is a shortest cycle. (The smallest such set is hard to find if there are ORs.)
struct StalledCycle {
  /// The pebbles, the one asked for first, each with those it waits for.
  private(set) var waits: [(pebble: Int, awaited: [Int])] = []

  private let network: ReadinessNetwork
  private let order: DecisionOrder
  private let operands: OperandIndex
  private let moment: UInt32

  /// For each row in the set, the rows it waits for.
  private var chosen: [Int: [Int]] = [:]

  /// How many operands of ORs are looked after, each of which is a search.
  private static let mostSearches = 100

  /// - Complexity: O(pebbles + atoms) for each operand of an OR in it.
  init(of pebble: Int, _ replay: Replay, _ enabling: DecisionHistory) {
    network = replay.run.model.pond.network
    order = DecisionOrder(replay.order, enabling)
    operands = replay.run.model.pond.operands
    moment = replay.order.beginningOfCycle(of: pebble)
    chosen[pebble] = []
    var pending = add(path(from: pebble) { $0 == pebble })
    var searchCount = 0
    while let row = pending.popLast(), searchCount < Self.mostSearches {
      guard chosen[row] == nil else { continue }
      searchCount += 1
      let known = chosen
      pending += add(path(from: row) { known[$0] != nil })
    }
    collectWaits(from: pebble)
  }

  /// Takes a path into the set.
  ///
  /// - Returns: What ORs on it wait for besides.
  private mutating func add(_ path: [Int]) -> [Int] {
    var others: [Int] = []
    for (row, next) in zip(path, path.dropFirst()) {
      if needsAll(row) {
        let targets = targets(of: row)
        chosen[row] = targets
        others += targets.filter { $0 != next }
      } else {
        chosen[row] = [next]
      }
    }
    return others
  }

  /// The shortest way from a row to one that is wanted, both included, breadth first; empty if
  /// there is none. The first row itself counts only when it comes up again.
  private func path(from start: Int, isWanted: (Int) -> Bool) -> [Int] {
    var parents = [start: start]
    var found = [start]
    var next = 0
    while next < found.count {
      let row = found[next]
      next += 1
      for target in targets(of: row) {
        if isWanted(target) {
          var path = [target, row]
          while let last = path.last, let parent = parents[last], parent != last {
            path.append(parent)
          }
          return path.reversed()
        }
        guard parents[target] == nil else { continue }
        parents[target] = row
        found.append(target)
      }
    }
    return []
  }

  /// What a row waited for at the moment before it was skipped, each once.
  private func targets(of row: Int) -> [Int] {
    var known: Set<Int> = []
    return operands[row].map { Int($0.source) }.filter { target in
      !order.isDecided(target, upTo: moment) && known.insert(target).inserted
    }
  }

  /// Whether each single operand could have decided the row.
  private func needsAll(_ row: Int) -> Bool {
    network.kinds[row] == .any
  }

  private mutating func collectWaits(from start: Int) {
    let pebbleCount = network.pebbleCount
    var pending = [start]
    var known: Set<Int> = [start]
    var next = 0
    while next < pending.count {
      let pebble = pending[next]
      next += 1
      var awaited: [Int] = []
      var rows = chosen[pebble] ?? []
      var seen = Set(rows)
      var place = 0
      while place < rows.count {
        let row = rows[place]
        place += 1
        guard row >= pebbleCount else {
          awaited.append(row)
          continue
        }
        rows += (chosen[row] ?? []).filter { seen.insert($0).inserted }
      }
      waits.append((pebble, awaited))
      pending += awaited.filter { known.insert($0).inserted }
    }
  }
}
