import Pebbles

extension ReferencePond {
  /// Returns the same pond as a real `Pond`, defined only with handles and operators. A shared
  /// subexpression is a single value in the real pond as well. The name of pebble *n* is `p`
  /// followed by *n*.
  ///
  /// - Parameter smallestShared: The smallest number of leaves of a shared subexpression that is
  ///   compiled only once; `nil` for the default.
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
  /// - Returns: The handles of the pebbles.
  @discardableResult
  package func define(in pond: Pond, optional: [Int] = []) -> [ReferencePebble] {
    let pebbles = succeeds.enumerated().map { index, succeeds in
      let output = cases[index].output(holding: answers[index])
      if given.contains(index) { return pond.given("p\(index)", default: output) }
      return pond.pebble("p\(index)", optional.contains(index) ? .enabled { true } : .traits()) {
        if !succeeds { throw Breakdown.usual }
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

  /// Adds the pebbles to a pond, with bodies that decide, when they are called, whether the pebble
  /// fails.
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

  /// Adds the pebbles to a pond, with bodies that call a closure, and with teardowns.
  ///
  /// - Parameters:
  ///   - pond: The pond.
  ///   - called: A closure that each body calls, with the number of its pebble.
  ///   - teardown: The teardown of each pebble, called with the number of the pebble.
  package func define(
    in pond: Pond, calling called: @escaping @Sendable (Int) -> Void,
    teardown: @escaping @Sendable (Int) async -> Void
  ) {
    let pebbles = succeeds.enumerated().map { index, succeeds in
      let output = cases[index].output(holding: answers[index])
      return pond.pebble("p\(index)", teardown: { _ in await teardown(index) }) {
        called(index)
        if !succeeds { throw Breakdown.usual }
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

  /// Creates a maker, and adds the cases to the pebbles.
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

  /// Returns the condition that a pebble has a value, with the overload for types that do not list
  /// their values.
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
  /// Returns the cases that hold for a pebble at the end of its body, in definition order.
  package func cases(of pebble: Int) -> [PebbleCase] {
    let held = held(pebble, succeeds[pebble] ? .succeeded : .failed)
    return cases[pebble].list.filter(held.contains)
  }

  /// Returns the answers of a pebble in the form that the engine takes, including the answers for
  /// the other outcome.
  package func caseSet(of pebble: Int) -> CaseSet {
    cases[pebble].list.enumerated().reduce(into: CaseSet()) { set, one in
      if answers[pebble].contains(one.element) { set.insert(place: one.offset) }
    }
  }

  /// Returns the condition that a case holds; `pebbles` are the pebbles that this pond has defined.
  package func condition(
    _ one: PebbleCase, of pebble: Int, in pebbles: [ReferencePebble]
  ) -> Condition {
    guard let place = cases[pebble].list.firstIndex(of: one) else { return .never }
    return Condition(.atom(Atom(pebble: pebbles[pebble].reference, case: place, of: one)))
  }
}
