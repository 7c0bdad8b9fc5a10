import Pebbles

/// Which pebble held units of one limited resource when, in a run that is over, to tell which ones
/// others waited for.
struct UnitLedger {
  private let capacity: Int

  /// In the order in which they gave back.
  private var users: [Int] = []
  private var finishes: [UInt64] = []

  /// Before each of `users`, how many units had been given back.
  private var unitsBack = [0]

  /// In ascending order, with how many units had been taken before each.
  private var starts: [UInt64] = []
  private var unitsTaken = [0]

  /// - Parameters:
  ///   - uses: The pebbles that ran and used it, and how many units each held.
  ///   - capacity: How many units there are.
  ///   - times: When they ran.
  /// - Complexity: O(*n* log *n*) for *n* uses.
  init(of uses: [(pebble: Int, units: Int)], capacity: Int, _ times: RunTimes) {
    self.capacity = capacity
    let ended = uses.sorted { times.isSettledEarlier($0.pebble, $1.pebble) }
    users = ended.map(\.pebble)
    finishes = ended.map { times.finished[$0.pebble] }
    for use in ended { unitsBack.append((unitsBack.last ?? 0).addingSaturated(use.units)) }
    let begun = uses.sorted { times.started[$0.pebble] < times.started[$1.pebble] }
    starts = begun.map { times.started[$0.pebble] }
    for use in begun { unitsTaken.append((unitsTaken.last ?? 0).addingSaturated(use.units)) }
  }

  /// The last one that gave back what was missing for a pebble between its becoming ready and its
  /// start.
  ///
  /// - Complexity: O(log *n*), unless many give back at the same moment.
  func giver(to pebble: Int, needing units: Int, _ times: RunTimes) -> Int? {
    var place = finishes.countSorted { $0 <= times.started[pebble] }
    while place > 0 {
      place -= 1
      let giver = users[place]
      guard finishes[place] > times.ready[pebble] else { return nil }
      guard times.positions[giver] < times.positions[pebble] else { continue }
      let held =
        unitsTaken[starts.countSorted { $0 < finishes[place] }]
        - unitsBack[finishes.countSorted { $0 < finishes[place] }]
      return held > capacity - units ? giver : nil
    }
    return nil
  }
}

extension [UInt64] {
  /// How many elements there are at the beginning for which this holds, in an array that has them
  /// before all others.
  fileprivate func countSorted(_ isBefore: (UInt64) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBefore(self[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
