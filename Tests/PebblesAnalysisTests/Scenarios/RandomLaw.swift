import Pebbles
import PebblesTestSupport

@testable import PebblesAnalysis

/// A law over random atoms, with what it means.
struct RandomLaw {
  let law: Law
  let isKept: ([ReferenceOutcome]) -> Bool

  init(_ pebbles: [Pebble<Void>], using generator: inout SeededGenerator) {
    var atoms: [(condition: Condition, isTrue: ([ReferenceOutcome]) -> Bool)] = []
    for _ in 0..<Int.random(in: 2...4, using: &generator) {
      let position = Int.random(in: 0..<pebbles.count, using: &generator)
      let kinds = ReferencePond.OutcomeKind.allCases
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &generator)]
      let condition = kind.condition(of: pebbles[position])
      atoms.append((condition, { kind.accepts($0[position]) }))
    }
    let (first, second) = (atoms[0], atoms[1])
    let conditions = atoms.map(\.condition)
    let count = { (outcomes: [ReferenceOutcome]) in atoms.count { $0.isTrue(outcomes) } }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: (law, isKept) = (.always(first.condition), first.isTrue)
    case 1: (law, isKept) = (.never(first.condition), { !first.isTrue($0) })
    case 2: (law, isKept) = (.exactlyOne(of: conditions), { count($0) == 1 })
    case 3: (law, isKept) = (.atMostOne(of: conditions), { count($0) <= 1 })
    case 4:
      law = .implies(first.condition, second.condition)
      isKept = { !first.isTrue($0) || second.isTrue($0) }
    default:
      law = .eventually(first.condition, whenever: second.condition)
      isKept = { !second.isTrue($0) || first.isTrue($0) }
    }
  }
}
