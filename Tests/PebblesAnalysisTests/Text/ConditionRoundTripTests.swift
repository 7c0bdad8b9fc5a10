import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that compare random conditions with the conditions that are read back from their text.
@Suite(.watched) struct ConditionRoundTripTests {
  private static let names = [
    "a", "load cores", "class", "é\u{301}", "tab\tquote\"\\", "\u{1B}[31m", "always", "🧵", "_",
  ]

  @Test(arguments: 0..<4)
  func aRandomConditionReadsBackWithTheSameMeaning(shard: Int) async throws {
    let pond = Pond("round trip")
    let pebbles = Self.names.map { pond.pebble($0) {} }
    let model = try pond.model()
    var generator = SeededGenerator(seed: 13_000 + UInt64(shard))
    for number in 0..<Thoroughness.times(1_000) {
      if number % 100 == 0 { await Task.yield() }
      let condition = Self.condition(over: pebbles, depth: 4, using: &generator)
      let text = condition.description

      let readBack = try model.condition(text)

      // Printing what was read is where it ends: `.all([x])` prints as `x`.
      let again = readBack.description
      try #require(try model.condition(again).description == again)
      for _ in 0..<4 {
        let outcomes = Self.names.indices.map { _ in
          [OutcomeSet.succeeded, .failed, .skipped, nil].randomElement(using: &generator) ?? nil
        }
        try #require(
          readBack.value(outcomes) == condition.value(outcomes), "\(text) with \(outcomes)")
      }
    }
  }

  @Test func aLabelStaysWhereItIs() throws {
    let pond = Pond("round trip")
    let (a, b) = (pond.pebble("a") {}, pond.pebble("b") {})
    let model = try pond.model()
    let conditions = [
      !a.failed.labeled("x"), (!a.failed).labeled("x"), !(a.failed || b.failed).labeled("y"),
      (!(a.failed || b.failed)).labeled("y"), (!a.failed.labeled("x")).labeled("y") && b.failed,
    ]

    let texts = conditions.map(\.description)

    #expect(Set(texts).count == conditions.count)
    #expect(try texts.map { try model.condition($0).description } == texts)
  }

  private static func condition(
    over pebbles: [Pebble<Void>], depth: Int, using generator: inout SeededGenerator
  ) -> Condition {
    func operand() -> Condition { condition(over: pebbles, depth: depth - 1, using: &generator) }
    func operands() -> [Condition] {
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in operand() }
    }
    let pebble = pebbles[Int.random(in: 0..<pebbles.count, using: &generator)]
    switch Int.random(in: 0..<(depth > 0 ? 16 : 8), using: &generator) {
    case 0: return pebble.succeeded
    case 1: return pebble.failed
    case 2: return pebble.skipped
    case 3: return pebble.completed
    case 4: return pebble.settled
    case 5: return !pebble.settled
    case 6: return Bool.random(using: &generator) ? .always : .never
    case 7: return pebble.completed && !pebbles[0].failed
    case 8, 9: return .all(operands())
    case 10, 11: return .any(operands())
    case 12: return operand() && operand()
    case 13: return operand() || operand()
    case 14: return operand().labeled("it's \"so\"\n\u{7}")
    default: return !operand()
    }
  }
}

extension Condition {
  /// Returns the value of the condition by Kleene's tables. The outcome is `nil` for a pebble that
  /// has not settled.
  fileprivate func value(_ outcomes: [OutcomeSet?]) -> Bool? {
    switch expression {
    case .constant(let value): return value
    case .atom(let atom):
      return outcomes[Int(atom.pebble.index)].map { atom.outcomes.contains($0) }
    case .compound(let node):
      let operands = node.operands.map { $0.value(outcomes) }
      switch node.operation {
      case .all: return operands.contains(false) ? false : operands.contains(nil) ? nil : true
      case .any: return operands.contains(true) ? true : operands.contains(nil) ? nil : false
      case .not: return operands[0].map { !$0 }
      case .labeled: return operands[0]
      }
    }
  }
}
