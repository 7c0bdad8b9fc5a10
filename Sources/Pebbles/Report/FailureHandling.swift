/// Whether a pebble takes care of the failure of another one: for `check()`, and for the policies
/// that cancel a run.
enum FailureHandling: Hashable {
  /// A pebble that has it in its condition has run, or is running.
  case certain
  /// This pebble has it in its condition and may still run. Others may as well.
  case possible(by: Int)
  case none
}

extension RunStorage {
  /// Whether a pebble that runs can see the failure of `pebble` through its condition. While the
  /// run goes on, one that may still run can hide that another does.
  ///
  /// - Complexity: O(atoms above the pebble).
  func handling(ofFailure pebble: Int) -> FailureHandling {
    let network = pond.network
    var pending = network.edges(from: pebble)
      .filter { $0.outcomes.contains(.failed) }.map(\.gate)
    for predicate in network.predicateReaders[UInt32(pebble), default: []] {
      pending += network.edges(from: network.row(ofPredicate: Int(predicate))).map(\.gate)
    }
    var known = Set(pending)
    while let gate = pending.popLast() {
      guard gate >= network.pebbleCount else {
        switch state.status(of: gate) {
        case .running, .succeeded, .failed: return .certain
        case .waiting: return .possible(by: gate)
        case .skippedByCondition, .skippedByStall, .skippedByPredicate, .skippedByCancellation,
          .skippedAsDisabled:
          break
        }
        continue
      }
      pending += network.edges(from: gate).map(\.gate).filter { known.insert($0).inserted }
    }
    return .none
  }
}
