import Pebbles

/// The random number generator of random tests. It is seeded, so that a failure can be reproduced.
package typealias SeededGenerator = SplitMix64

extension ReferencePond {
  /// Returns a pond of one to `mostPebbles` pebbles. Its conditions may have cycles, negations,
  /// shared subexpressions, constants and, if `withCases` is `true`, cases.
  package static func random(
    mostPebbles: Int, withCases: Bool = false, using generator: inout SeededGenerator
  ) -> ReferencePond {
    let count = Int.random(in: 1...mostPebbles, using: &generator)
    let cases = (0..<count).map { _ in
      withCases ? ReferenceCases.random(using: &generator) : ReferenceCases()
    }
    var maker = FormulaMaker(cases: cases, generator: generator)
    var conditions = (0..<count).map { _ in maker.formula(depth: 3) }
    // About a third of the pebbles wait for nothing. Otherwise most ponds would stall immediately.
    for pebble in 0..<count where maker.chance(1, in: 3) { conditions[pebble] = .constant(true) }
    let succeeds = (0..<count).map { _ in maker.chance(2, in: 3) }
    generator = maker.generator
    var pond = ReferencePond(conditions: conditions, succeeds: succeeds, cases: cases)
    if withCases { pond.answerAtRandom(using: &generator) }
    return pond
  }
}

extension ReferencePond {
  /// Returns a pond of a few pebbles that all run, and `count` pebbles whose conditions mention
  /// only the first ones, so that a condition often mentions the same pebble several times.
  package static func crowded(
    _ roots: Int, conditions count: Int, using generator: inout SeededGenerator
  ) -> ReferencePond {
    let cases = (0..<roots).map { _ in ReferenceCases.random(using: &generator) }
    var maker = FormulaMaker(cases: cases, generator: generator)
    let conditions = (0..<count).map { _ in maker.formula(depth: 3) }
    let succeeds = (0..<roots + count).map { _ in maker.chance(2, in: 3) }
    generator = maker.generator
    var pond = ReferencePond(
      conditions: cases.map { _ in .constant(true) } + conditions, succeeds: succeeds,
      cases: cases + conditions.map { _ in ReferenceCases() })
    pond.answerAtRandom(using: &generator)
    return pond
  }
}

extension ReferencePond {
  /// Replaces the cases that hold with a new random choice.
  package mutating func answerAtRandom(using generator: inout SeededGenerator) {
    for pebble in cases.indices where !cases[pebble].list.isEmpty {
      answers[pebble] = [true, false].reduce(into: []) { answers, succeeded in
        let possible = cases[pebble].answers(succeeded: succeeded)
        answers.formUnion(possible.randomElement(using: &generator) ?? [])
      }
    }
  }
}

private struct FormulaMaker {
  let cases: [ReferenceCases]
  var generator: SeededGenerator
  private var shared: [ReferencePond.Formula] = []

  init(cases: [ReferenceCases], generator: SeededGenerator) {
    self.cases = cases
    self.generator = generator
  }

  mutating func chance(_ part: Int, in whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &generator) < part
  }

  mutating func formula(depth: Int) -> ReferencePond.Formula {
    if let known = shared.randomElement(using: &generator), chance(1, in: 6) { return known }
    let made = newFormula(depth: depth)
    guard chance(1, in: 4) else { return made }
    shared.append(.shared(shared.count, made))
    return .shared(shared.count - 1, made)
  }

  private mutating func newFormula(depth: Int) -> ReferencePond.Formula {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &generator) {
    case 0 where chance(1, in: 3): return .constant(chance(1, in: 2))
    case 6, 7, 8: return .all(operands(depth: depth - 1))
    case 9, 10: return .any(operands(depth: depth - 1))
    case 11: return .not(formula(depth: depth - 1))
    default: return atom()
    }
  }

  private mutating func operands(depth: Int) -> [ReferencePond.Formula] {
    let count = chance(1, in: 20) ? 0 : Int.random(in: 1...3, using: &generator)
    return (0..<count).map { _ in formula(depth: depth) }
  }

  private mutating func atom() -> ReferencePond.Formula {
    let kinds = ReferencePond.OutcomeKind.allCases
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &generator)]
    let pebble = Int.random(in: 0..<cases.count, using: &generator)
    let one =
      cases[pebble].list.isEmpty || chance(1, in: 3)
      ? nil : cases[pebble].list.randomElement(using: &generator)
    guard let one else { return .atom(pebble, kind, isNegated: chance(1, in: 5)) }
    return .case(pebble, one, isNegated: chance(1, in: 3))
  }
}
