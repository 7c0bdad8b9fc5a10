import Pebbles

/// The output of the body of a reference pebble.
package enum ReferenceOutput: String, Sendable, CaseIterable, Codable {
  case a, b, c

  package var asCase: PebbleCase { .is(rawValue) }
}

package typealias ReferencePebble = Pebble<ReferenceOutput>

/// The cases of a reference pebble.
package struct ReferenceCases: Hashable, Sendable {
  /// The cases in definition order.
  package let list: [PebbleCase]

  /// Whether one of the values holds if the pebble succeeds.
  package let isExhaustive: Bool

  package init(_ list: [PebbleCase] = [], isExhaustive: Bool = false) {
    self.list = list
    self.isExhaustive = isExhaustive
  }

  /// Returns all sets of cases that can hold together for this outcome: any number of named cases
  /// and at most one value.
  package func answers(succeeded: Bool) -> [Set<PebbleCase>] {
    let own = list.filter { $0.isFailure != succeeded }
    var answers: [Set<PebbleCase>] = [[]]
    for one in own where !one.isValue { answers += answers.map { $0.union([one]) } }
    let values = own.filter(\.isValue)
    let withOne = answers.flatMap { answer in values.map { answer.union([$0]) } }
    return isExhaustive && !values.isEmpty ? withOne : answers + withOne
  }

  /// Returns an output for which the values among the given cases hold. If no value is among them,
  /// returns, if possible, an output for which no value is defined as a case.
  package func output(holding answers: Set<PebbleCase>) -> ReferenceOutput {
    let isOther = { (output: ReferenceOutput) in !list.contains(output.asCase) }
    return ReferenceOutput.allCases.first { answers.contains($0.asCase) }
      ?? ReferenceOutput.allCases.first(where: isOther) ?? .a
  }

  /// Returns a few random cases of both outcomes, or no cases.
  static func random(using generator: inout SeededGenerator) -> ReferenceCases {
    guard Int.random(in: 0..<5, using: &generator) < 2 else { return ReferenceCases() }
    let failed = ["x", "y"].prefix(Int.random(in: 0...2, using: &generator))
    var list = failed.map { PebbleCase.failed($0) }
    if Bool.random(using: &generator) { list.append(.succeeded("x")) }
    let groups: [[ReferenceOutput]] = [[], [.b], [.b, .a], [.a, .b, .c], [.a, .b, .c]]
    let place = Int.random(in: 0..<groups.count, using: &generator)
    let values = groups[place].map(\.asCase)
    let isFirst = Bool.random(using: &generator)
    return ReferenceCases(
      isFirst ? values + list : list + values, isExhaustive: groups[place].count == 3)
  }
}

/// One possible end of a body: its outcome and the cases that hold.
package struct ReferenceDecision: Hashable, Sendable {
  package let succeeds: Bool
  package let cases: Set<PebbleCase>

  /// Returns all possible ends of a body with these cases. In the first of them it succeeds.
  package static func all(_ cases: ReferenceCases) -> [ReferenceDecision] {
    [true, false].flatMap { succeeds in
      cases.answers(succeeded: succeeds).map { ReferenceDecision(succeeds: succeeds, cases: $0) }
    }
  }
}
