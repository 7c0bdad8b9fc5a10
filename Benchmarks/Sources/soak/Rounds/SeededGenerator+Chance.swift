import Workloads

extension SeededGenerator {
  /// Returns a new generator with an independent sequence.
  mutating func split() -> SeededGenerator { SeededGenerator(seed: next()) }

  mutating func chance(percent: Int) -> Bool { number(in: 0...99) < percent }

  mutating func number(in range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

  mutating func milliseconds(in range: ClosedRange<Int>) -> Duration {
    .milliseconds(number(in: range))
  }

  /// Returns a random choice. The probability of each choice is proportional to its key.
  mutating func pick<Choice>(_ choices: KeyValuePairs<Int, Choice>) -> Choice {
    var rest = number(in: 1...choices.reduce(0) { $0 + $1.key })
    let chosen = choices.first { choice in
      rest -= choice.key
      return rest <= 0
    }
    guard let chosen else { preconditionFailure("weights add up to what was drawn from") }
    return chosen.value
  }
}
