import Pebbles

extension ReferencePond {
  /// The same pond, defined for real with nothing but handles and operators. A sub-expression that
  /// stands in several places is one value there too. Pebble `n` is named `p` and its number.
  ///
  /// - Parameter smallestShared: How many leaves such a sub-expression has at least if it is to be
  ///   compiled only once; the usual number if `nil`.
  /// - Returns: The pond.
  package func definedPond(smallestShared: Int32? = nil) -> Pond {
    let pond = smallestShared.map { Pond("random", smallestShared: $0) } ?? Pond("random")
    define(in: pond)
    return pond
  }

  /// Adds the pebbles to a pond.
  ///
  /// - Parameters:
  ///   - pond: The pond.
  ///   - optional: The pebbles that may be disabled.
  /// - Returns: Their handles.
  @discardableResult
  package func define(in pond: Pond, optional: [Int] = []) -> [Pebble<Void>] {
    let pebbles = succeeds.enumerated().map { index, succeeds in
      pond.pebble(
        "p\(index)", optional.contains(index) ? .enabled { true } : .traits()
      ) { if !succeeds { throw Breakdown() } }
    }
    var maker = ConditionMaker(pebbles: pebbles)
    for (pebble, formula) in zip(pebbles, conditions) { pebble.ready = maker.condition(formula) }
    return pebbles
  }

  /// Adds pebbles that tell of their bodies, and are torn down.
  ///
  /// - Parameters:
  ///   - pond: The pond.
  ///   - called: Called by each body, with the number of its pebble.
  ///   - teardown: The teardown of each, called with that number.
  package func define(
    in pond: Pond, calling called: @escaping @Sendable (Int) -> Void,
    teardown: @escaping @Sendable (Int) async -> Void
  ) {
    let pebbles = succeeds.enumerated().map { index, succeeds in
      pond.pebble("p\(index)", teardown: { await teardown(index) }) {
        called(index)
        if !succeeds { throw Breakdown() }
      }
    }
    var maker = ConditionMaker(pebbles: pebbles)
    for (pebble, formula) in zip(pebbles, conditions) { pebble.ready = maker.condition(formula) }
  }
}

private struct ConditionMaker {
  let pebbles: [Pebble<Void>]
  private var shared: [Int: Condition] = [:]

  init(pebbles: [Pebble<Void>]) {
    self.pebbles = pebbles
  }

  mutating func condition(_ formula: ReferencePond.Formula) -> Condition {
    switch formula {
    case .constant(let value): return value ? .always : .never
    case .atom(let index, let kind, let isNegated):
      return isNegated ? !atom(pebbles[index], kind) : atom(pebbles[index], kind)
    case .not(let operand): return !condition(operand)
    case .all(let operands): return .all(operands.map { condition($0) })
    case .any(let operands): return .any(operands.map { condition($0) })
    case .shared(let number, let formula):
      let made = shared[number] ?? condition(formula)
      shared[number] = made
      return made
    }
  }

  private func atom(_ pebble: Pebble<Void>, _ kind: ReferencePond.OutcomeKind) -> Condition {
    switch kind {
    case .succeeded: pebble.succeeded
    case .failed: pebble.failed
    case .skipped: pebble.skipped
    case .completed: pebble.completed
    case .settled: pebble.settled
    }
  }
}
