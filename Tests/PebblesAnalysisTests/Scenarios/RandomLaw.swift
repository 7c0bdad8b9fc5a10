import Pebbles
import PebblesTestSupport

@testable import PebblesAnalysis

/// A law over random atoms, together with a closure that determines whether an ending keeps it.
struct RandomLaw {
  let law: Law
  let isKept: (ReferenceEnding) -> Bool

  /// The cases that are mentioned by the law or by a condition of the pond.
  let mentions: ReferenceMentions

  private struct RandomAtom {
    let pebble: Int
    let one: PebbleCase?
    let condition: Condition
    let isTrue: (ReferenceEnding) -> Bool
  }

  init(
    _ pebbles: [ReferencePebble], of pond: ReferencePond, using generator: inout SeededGenerator
  ) {
    var atoms: [RandomAtom] = []
    for _ in 0..<Int.random(in: 2...4, using: &generator) {
      atoms.append(Self.atom(pebbles, pond, &generator))
    }
    let (first, second) = (atoms[0], atoms[1])
    let conditions = atoms.map(\.condition)
    let all = atoms
    let count = { (ending: ReferenceEnding) in all.count { $0.isTrue(ending) } }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      (law, isKept) = (.always(first.condition), first.isTrue)
      atoms = [first]
    case 1:
      (law, isKept) = (.never(first.condition), { !first.isTrue($0) })
      atoms = [first]
    case 2: (law, isKept) = (.exactlyOne(of: conditions), { count($0) == 1 })
    case 3: (law, isKept) = (.atMostOne(of: conditions), { count($0) <= 1 })
    case 4:
      law = .implies(first.condition, second.condition)
      isKept = { !first.isTrue($0) || second.isTrue($0) }
      atoms = [first, second]
    default:
      law = .eventually(first.condition, whenever: second.condition)
      isKept = { !second.isTrue($0) || first.isTrue($0) }
      atoms = [first, second]
    }
    var mentions = ReferenceMentions(pond)
    for atom in atoms {
      if let one = atom.one { mentions.add(one, of: atom.pebble, in: pond) }
    }
    self.mentions = mentions
  }

  private static func atom(
    _ pebbles: [ReferencePebble], _ pond: ReferencePond, _ generator: inout SeededGenerator
  ) -> RandomAtom {
    let position = Int.random(in: 0..<pebbles.count, using: &generator)
    let kinds = ReferencePond.OutcomeKind.allCases
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &generator)]
    let cases = pond.cases[position].list
    guard !cases.isEmpty, Int.random(in: 0..<3, using: &generator) > 0 else {
      return RandomAtom(
        pebble: position, one: nil, condition: kind.condition(of: pebbles[position])
      ) {
        kind.accepts($0.outcomes[position])
      }
    }
    let one = cases[Int.random(in: 0..<cases.count, using: &generator)]
    let condition = pond.condition(one, of: position, in: pebbles)
    let isNegated = Int.random(in: 0..<3, using: &generator) == 0
    return RandomAtom(
      pebble: position, one: one, condition: isNegated ? !condition : condition
    ) {
      $0.held[position].contains(one) != isNegated
    }
  }
}
