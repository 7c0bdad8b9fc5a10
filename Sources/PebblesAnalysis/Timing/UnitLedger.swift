import Pebbles

/// The uses of one limited resource in a finished run, ordered by time. The ledger finds the
/// pebbles that released units to waiting pebbles.
struct UnitLedger {
  private let capacity: Int

  /// The pebbles that used the resource, in the order in which they released it.
  private var users: [Int] = []
  private var finishes: [UInt64] = []

  /// The running totals of the units that `users` released. Each element is the total before the
  /// user at the same index, and the last element is the total of all users.
  private var unitsReturned = [0]

  /// The times at which units were taken, in ascending order. `unitsTaken` contains the running
  /// totals of these units: each of its elements is the total before the start at the same index,
  /// and its last element is the total of all users.
  private var starts: [UInt64] = []
  private var unitsTaken = [0]

  /// Creates the ledger of one resource.
  ///
  /// - Parameters:
  ///   - uses: The pebbles that ran and used the resource, and the number of units that each held.
  ///   - capacity: The number of units of the resource.
  ///   - times: The times of the run.
  /// - Complexity: O(*n* log *n*) for *n* uses.
  init(of uses: [(pebble: Int, units: Int)], capacity: Int, _ times: RunTimes) {
    self.capacity = capacity
    let ended = uses.sorted { times.isSettledEarlier($0.pebble, $1.pebble) }
    users = ended.map(\.pebble)
    finishes = ended.map { times.finished[$0.pebble] }
    for use in ended { unitsReturned.append((unitsReturned.last ?? 0).addingSaturated(use.units)) }
    let begun = uses.sorted { times.started[$0.pebble] < times.started[$1.pebble] }
    starts = begun.map { times.started[$0.pebble] }
    for use in begun { unitsTaken.append((unitsTaken.last ?? 0).addingSaturated(use.units)) }
  }

  /// Returns the last pebble that released units while `pebble` was ready but had not started;
  /// `nil` if there is no such pebble, or if enough units were free even before this release.
  ///
  /// - Complexity: O(log *n*), unless many pebbles release units at the same moment.
  func giver(to pebble: Int, needing units: Int, _ times: RunTimes) -> Int? {
    var place = finishes.countSorted { $0 <= times.started[pebble] }
    while place > 0 {
      place -= 1
      let giver = users[place]
      guard finishes[place] > times.ready[pebble] else { return nil }
      guard times.positions[giver] < times.positions[pebble] else { continue }
      let held =
        unitsTaken[starts.countSorted { $0 < finishes[place] }]
        - unitsReturned[finishes.countSorted { $0 < finishes[place] }]
      return held > capacity - units ? giver : nil
    }
    return nil
  }
}

extension [UInt64] {
  /// Returns the number of elements that satisfy a predicate. These elements must come before all
  /// others.
  fileprivate func countSorted(_ isBefore: (UInt64) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBefore(self[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
