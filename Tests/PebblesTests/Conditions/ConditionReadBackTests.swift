import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite struct ConditionReadBackTests {
  private static let names = ["a", "load cores", "class", "d"]
  private static let outcomes = ["succeeded", "failed", "skipped"]

  @Test(arguments: 0..<4)
  func theTextOfARandomConditionReadsBackWithTheSameMeaning(shard: Int) throws {
    let pond = Pond("read back")
    let pebbles = Self.names.map { pond.pebble($0) {} }
    var generator = SeededGenerator(seed: 3_000 + UInt64(shard))

    for _ in 0..<500 {
      let condition = Self.condition(over: pebbles, depth: 4, using: &generator)
      let text = condition.description
      let readBack = try SwiftExpression(parsing: text)

      for _ in 0..<20 {
        let assignment = Self.names.map {
          ($0, Self.outcomes.randomElement(using: &generator) ?? "")
        }
        let outcomes = Dictionary(uniqueKeysWithValues: assignment)
        #expect(readBack.value(outcomes) == condition.value(outcomes), "\(text) with \(outcomes)")
      }
    }
  }

  @Test func theParserRefusesWhatSwiftWouldRefuse() {
    for text in ["!!a.failed", "a.failed & b.failed", "a.failed b.failed", "(a.failed", "a"] {
      #expect(throws: SwiftExpression.SyntaxError.self) { try SwiftExpression(parsing: text) }
    }
  }

  private static func condition(
    over pebbles: [Pebble<Void>], depth: Int, using generator: inout SeededGenerator
  ) -> Condition {
    func operand() -> Condition {
      condition(over: pebbles, depth: depth - 1, using: &generator)
    }
    func operands() -> [Condition] {
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in operand() }
    }
    let pebble = pebbles[Int.random(in: 0..<pebbles.count, using: &generator)]
    switch Int.random(in: 0..<(depth > 0 ? 14 : 7), using: &generator) {
    case 0: return pebble.succeeded
    case 1: return pebble.failed
    case 2: return pebble.skipped
    case 3: return pebble.completed
    case 4: return pebble.settled
    case 5: return !pebble.succeeded
    case 6: return Bool.random(using: &generator) ? .always : .never
    case 7: return .all(operands())
    case 8: return .any(operands())
    case 9: return operand() && operand()
    case 10: return operand() || operand()
    case 11: return operand().labeled("it's \"so\"")
    default: return !operand()
    }
  }
}

extension Condition {
  /// Returns the value of the condition for the given outcomes, computed from its expression.
  fileprivate func value(_ outcomes: [String: String]) -> Bool {
    switch expression {
    case .constant(let value):
      return value
    case .atom(let atom):
      let outcome: OutcomeSet =
        switch outcomes[atom.pebble.name] {
        case "succeeded": .succeeded
        case "failed": .failed
        default: .skipped
        }
      return atom.outcomes.contains(outcome)
    case .compound(let node):
      switch node.operation {
      case .all: return node.operands.allSatisfy { $0.value(outcomes) }
      case .any: return node.operands.contains { $0.value(outcomes) }
      case .not: return !node.operands[0].value(outcomes)
      case .labeled: return node.operands[0].value(outcomes)
      }
    }
  }
}
