import Synchronization

/// Evaluates predicates when something they read has settled, each one never concurrently with
/// itself.
///
/// Two pebbles that settle at the same time both ask for an evaluation. The first one evaluates;
/// the other only leaves a mark, and the first evaluates once more. So the last evaluation of a
/// predicate always sees all that has settled, and no runner waits.
final class PredicateEvaluator: Sendable {
  private let predicates: [Predicate]
  private let requests: [Requests]

  /// How many requests for one predicate are not served yet.
  private final class Requests: Sendable {
    private let count = Atomic(0)

    /// - Returns: Whether the caller is to evaluate.
    func add() -> Bool {
      count.add(1, ordering: .acquiringAndReleasing).oldValue == 0
    }

    /// - Returns: How many have come meanwhile; if any, the caller is to evaluate again.
    func serve(_ served: Int) -> Int {
      count.subtract(served, ordering: .acquiringAndReleasing).newValue
    }
  }

  init(_ predicates: [Predicate]) {
    self.predicates = predicates
    requests = predicates.map { _ in Requests() }
  }

  /// Serves the requests in `decisions`, and those that follow from a predicate becoming true.
  @inline(__always)
  func evaluate(_ decisions: inout Decisions, _ storage: RunStorage) {
    while let request = decisions.predicates.popLast() {
      evaluate(request, &decisions, storage)
    }
  }

  private func evaluate(
    _ request: PredicateRequest, _ decisions: inout Decisions, _ storage: RunStorage
  ) {
    let number = Int(request.predicate)
    guard requests[number].add() else { return }
    var served = 1
    while served > 0 {
      if !storage.state.isHeld(predicate: number), predicates[number].holds(storage.values) {
        storage.state.predicateHeld(number, cause: request.cause, into: &decisions)
      }
      served = requests[number].serve(served)
    }
  }
}
