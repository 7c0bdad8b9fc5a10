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
  package func define(in pond: Pond, optional: [Int] = []) -> [ReferencePebble] {
    let pebbles = succeeds.enumerated().map { index, succeeds in
      let output = cases[index].output(holding: answers[index])
      if given.contains(index) { return pond.given("p\(index)", default: output) }
      return pond.pebble("p\(index)", optional.contains(index) ? .enabled { true } : .traits()) {
        if !succeeds { throw Breakdown() }
        return output
      }
    }
    setConditions(of: pebbles)
    return pebbles
  }

  private func setConditions(of pebbles: [ReferencePebble]) {
    var maker = ConditionMaker(pebbles, of: self)
    for (index, formula) in conditions.enumerated() where !given.contains(index) {
      pebbles[index].ready = maker.condition(formula)
    }
  }

  /// Defines the same pond with bodies that end as is said when they are called.
  @discardableResult
  package func define(
    in pond: Pond, body: @escaping @Sendable (Int) throws -> Void,
    teardown: @escaping @Sendable (Int) -> Void
  ) -> [ReferencePebble] {
    let pebbles = succeeds.indices.map { index in
      let output = cases[index].output(holding: answers[index])
      return pond.pebble("p\(index)", teardown: { _ in teardown(index) }) {
        try body(index)
        return output
      }
    }
    setConditions(of: pebbles)
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
      let output = cases[index].output(holding: answers[index])
      return pond.pebble("p\(index)", teardown: { _ in await teardown(index) }) {
        called(index)
        if !succeeds { throw Breakdown() }
        return output
      }
    }
    setConditions(of: pebbles)
  }
}

private struct ConditionMaker {
  let pebbles: [ReferencePebble]
  private let cases: [[PebbleCase: Condition]]
  private var shared: [Int: Condition] = [:]

  /// Adds the cases.
  init(_ pebbles: [ReferencePebble], of pond: ReferencePond) {
    self.pebbles = pebbles
    cases = zip(pebbles, pond.cases).enumerated().map { index, one in
      Dictionary(
        uniqueKeysWithValues: one.1.list.map { name in
          (name, Self.condition(name, of: one.0, one.1, pond.answers[index]))
        })
    }
  }

  private static func condition(
    _ one: PebbleCase, of pebble: ReferencePebble, _ cases: ReferenceCases,
    _ answers: Set<PebbleCase>
  ) -> Condition {
    let holds = answers.contains(one)
    switch one {
    case .failed(let name): return pebble.failed(name) { _ in holds }
    case .succeeded(let name): return pebble.succeeded(name) { _ in holds }
    case .timedOut: return pebble.timedOut
    case .is(let name):
      guard let value = ReferenceOutput(rawValue: name) else { return .never }
      return cases.isExhaustive ? pebble.is(value) : isEqual(pebble, to: value)
    }
  }

  /// As for a type of which it is not known that it lists its values.
  private static func isEqual<Output: Equatable>(
    _ pebble: Pebble<Output>, to value: Output
  ) -> Condition {
    pebble.is(value)
  }

  mutating func condition(_ formula: ReferencePond.Formula) -> Condition {
    switch formula {
    case .constant(let value): return value ? .always : .never
    case .atom(let index, let kind, let isNegated):
      return isNegated ? !kind.condition(of: pebbles[index]) : kind.condition(of: pebbles[index])
    case .case(let index, let one, let isNegated):
      let condition = cases[index][one] ?? .never
      return isNegated ? !condition : condition
    case .not(let operand): return !condition(operand)
    case .all(let operands): return .all(operands.map { condition($0) })
    case .any(let operands): return .any(operands.map { condition($0) })
    case .shared(let number, let formula):
      let made = shared[number] ?? condition(formula)
      shared[number] = made
      return made
    }
  }
}

extension ReferencePond.OutcomeKind {
  package func condition(of pebble: ReferencePebble) -> Condition {
    switch self {
    case .succeeded: pebble.succeeded
    case .failed: pebble.failed
    case .skipped: pebble.skipped
    case .completed: pebble.completed
    case .settled: pebble.settled
    }
  }
}

extension ReferencePond {
  /// The cases that hold of a pebble, as its body ends.
  package func cases(of pebble: Int) -> [PebbleCase] {
    let held = held(pebble, succeeds[pebble] ? .succeeded : .failed)
    return cases[pebble].list.filter(held.contains)
  }

  /// The answers of a pebble as the engine is told them, with those of the other outcome.
  package func caseSet(of pebble: Int) -> CaseSet {
    cases[pebble].list.enumerated().reduce(into: CaseSet()) { set, one in
      if answers[pebble].contains(one.element) { set.insert(place: one.offset) }
    }
  }

  /// The condition that a case holds, of pebbles that this pond has defined.
  package func condition(
    _ one: PebbleCase, of pebble: Int, in pebbles: [ReferencePebble]
  ) -> Condition {
    guard let place = cases[pebble].list.firstIndex(of: one) else { return .never }
    return Condition(.atom(Atom(pebble: pebbles[pebble].reference, case: place, of: one)))
  }
}
