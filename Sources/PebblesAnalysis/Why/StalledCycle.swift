import Pebbles

/// A small set of pebbles that shows why one of them was skipped in a stall. Each pebble in the set
/// waits for others in the set, and could not be decided without them.
///
/// For an AND, the set needs only one undecided operand, because that operand keeps the AND
/// undecided. For an OR, the set needs all awaited operands. The set begins with the shortest path
/// from the pebble back to itself. The other operands of ORs on the path are then added, each with
/// the shortest path from it to a row of the set. Lengths are measured in rows, including inner
/// gates. If there are only ANDs, the set is a shortest cycle of rows. (If there are ORs, the
/// smallest set is hard to find.)
struct StalledCycle {
  /// The pebbles in the set, each with the pebbles that it waits for. The pebble to explain comes
  /// first.
  private(set) var waits: [(pebble: Int, awaited: [Int])] = []

  private let network: ReadinessNetwork
  private let order: DecisionOrder
  private let operands: OperandIndex
  private let moment: UInt32

  /// The rows in the set, each with the rows that it waits for.
  private var chosen: [Int: [Int]] = [:]

  /// The maximum number of additional OR operands, each of which requires a search.
  private static let mostSearches = 100

  /// Creates the set for a pebble that was skipped in a stall.
  ///
  /// - Complexity: O(pebbles + atoms) for each operand of an OR in the set.
  init(of pebble: Int, _ replay: Replay, _ history: DecisionHistory) {
    network = replay.run.model.pond.network
    order = DecisionOrder(replay.order, history)
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

  /// Adds the rows of a path to the set.
  ///
  /// - Returns: The other rows that ORs on the path wait for.
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

  /// Returns the shortest path from a row to a wanted row, including both rows; empty if there is
  /// no such path. The search is breadth-first. The first row counts as wanted only when the path
  /// returns to it.
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

  /// Returns the rows that a row was waiting for just before it was skipped, without duplicates.
  private func targets(of row: Int) -> [Int] {
    var known: Set<Int> = []
    return operands[row].map { Int($0.source) }.filter { target in
      !order.isDecided(target, upTo: moment) && known.insert(target).inserted
    }
  }

  /// Returns whether each operand alone could have decided the row. In that case, the set must
  /// include all undecided operands.
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
