import Pebbles

extension Scheduler {
  /// What is to be torn down of the run: the pebbles that have succeeded and have a teardown. Empty
  /// before the run is finished.
  ///
  /// Services are not among them; whoever has called one must have stopped it.
  ///
  /// - Returns: The schedule, from its beginning; it does not change this one.
  /// - Complexity: O(pebbles + atoms), and sorting what depends on each other.
  public func teardown() -> TeardownSchedule {
    let pond = storage.pond
    let candidates = pond.properties.pebbles.filter { $0.value.isTornDownElsewhere }.keys
      .map(Int.init).filter { storage.state.status(of: $0) == .succeeded }.sorted()
    guard isFinished, !candidates.isEmpty else {
      return TeardownSchedule(TeardownOrder()) { _ in "" }
    }
    let enabling = DecisionHistory(storage.state, pond.operands)
    return TeardownSchedule(TeardownOrder(of: candidates, enabling)) { pond.graph.names[$0] }
  }
}

extension PebbleProperties {
  fileprivate var isTornDownElsewhere: Bool { hasTeardown && !isService }
}
