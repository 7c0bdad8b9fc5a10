import Pebbles

extension Scheduler {
  /// Returns a schedule for the teardown of the pebbles that have succeeded and have a teardown. It
  /// is empty before the run is finished.
  ///
  /// Services are not included. The caller must have stopped each service that it called.
  ///
  /// - Returns: A new schedule, in which no teardown has been called. Using it does not change this
  ///   scheduler.
  /// - Complexity: O(pebbles + atoms), and sorting the pebbles that depend on each other.
  public func teardown() -> TeardownSchedule {
    let pond = storage.pond
    let candidates = pond.properties.pebbles.filter { $0.value.isTornDownElsewhere }.keys
      .map(Int.init).filter { storage.state.status(of: $0) == .succeeded }.sorted()
    guard isFinished, !candidates.isEmpty else {
      return TeardownSchedule(TeardownOrder()) { _ in "" }
    }
    let history = DecisionHistory(storage.state, pond.operands)
    return TeardownSchedule(TeardownOrder(of: candidates, history)) { pond.graph.names[$0] }
  }
}

extension PebbleProperties {
  fileprivate var isTornDownElsewhere: Bool { hasTeardown && !isService }
}
