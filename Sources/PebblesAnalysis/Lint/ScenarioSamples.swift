import Pebbles

/// A sample of a pond's scenarios: some without failures, some with one failure, and some with
/// several. The scenarios are simulated 64 at a time, with one bit per scenario. Scenarios that the
/// solver finds are added to the sample, so that the solver need not find them again.
///
/// Scenarios with few failures come first, so that the first match is easy to read. The only
/// exception is the second scenario, in which all bodies fail. The same pond always has the same
/// sample.
struct ScenarioSamples {
  typealias Signal = Circuit.Signal

  /// A scenario: the bodies that fail, the disabled pebbles, and the rows of the chosen cases.
  struct Scenario {
    var failing: [Int]
    var disabled: [Int]
    var chosen: [Int]
  }

  let circuit: Circuit
  private let pond: PondLogic
  let cycles: CycleOutcomes?
  let optional: [Int]

  /// The number of words that hold the scenarios of the sample, for each pebble or row. These words
  /// are followed by one more word, which is used to try out scenarios.
  private let wordCount: Int
  private let stride: Int

  // Each of these arrays has `stride` words for each pebble.
  var bodies: [UInt64]
  var ran: [UInt64]
  var stalled: [Int: [UInt64]] = [:]
  var activations: [Int: [UInt64]] = [:]

  /// The choices of cases, keyed by the row of the case. Each bit represents a scenario, and is set
  /// if the case is chosen in that scenario; see `CaseChoices`.
  private var choices: [Int: [UInt64]] = [:]

  /// The values of rows, `stride` words each. A pebble's row has the values of its condition.
  var values: [UInt64]

  /// The number of scenarios learned so far.
  private var learnedCount = 0
  private var pending: [Scenario] = []
  private let firstLearned: Int

  /// The maximum number of words in `values`, not counting the words for trying out scenarios. Only
  /// large ponds reach it; otherwise, each row has `usualWordCount` words. Each row has at least
  /// two words, even if this exceeds the maximum.
  private static let mostWords = 4_000_000
  private static let usualWordCount = 48

  init(
    _ circuit: Circuit, _ cycles: CycleOutcomes?, of pond: PondLogic, optional: Set<Int>
  ) {
    self.circuit = circuit
    self.pond = pond
    self.cycles = cycles
    self.optional = optional.sorted()
    let network = circuit.network
    let fitting = Self.mostWords / max(1, network.rowCount)
    wordCount = max(2, min(Self.usualWordCount, fitting))
    stride = wordCount + 1
    firstLearned = max(1, wordCount * 2 / 3)
    bodies = Array(repeating: .max, count: network.pebbleCount * stride)
    ran = Array(repeating: 0, count: network.pebbleCount * stride)
    values = Array(repeating: 0, count: network.rowCount * stride)
    var generator = SplitMix64(seed: 0x5EED)
    chooseBodies(&generator)
    for pebble in self.optional {
      activations[pebble] = (0..<stride).map { $0 == 0 ? .max : generator.next() }
    }
    for row in network.cases.rows { choices[row] = (0..<stride).map { _ in generator.next() } }
    simulate(circuit.order, 0..<wordCount)
  }

  /// Chooses the bodies that fail in each scenario: none in the first, and all in the second. In
  /// each scenario of the next group, at most one body fails. In the remaining scenarios, random
  /// bodies fail, except in those reserved for learned scenarios, where no body fails initially.
  private mutating func chooseBodies(_ generator: inout SplitMix64) {
    let count = circuit.network.pebbleCount
    let singles = max(1, firstLearned / 2)
    let step = max(1, count / max(1, 64 * singles - 2))
    for pebble in 0..<count { bodies[pebble * stride] &= ~0b10 }
    for lane in 2..<(64 * singles) {
      let pebble = (lane - 2) * step
      if pebble < count { bodies[pebble * stride + lane / 64] &= ~(1 << UInt64(lane % 64)) }
    }
    for word in singles..<firstLearned {
      for pebble in 0..<count {
        // On average, 1, 8, 16 or 32 of 64 bodies fail, depending on the word.
        var failing = generator.next()
        for _ in 0..<[5, 2, 1, 0][word % 4] { failing &= generator.next() }
        bodies[pebble * stride + word] = ~failing
      }
    }
    for pebble in pond.givenPebbles {
      for word in 0..<stride { bodies[pebble * stride + word] = .max }
    }
  }

  // MARK: Simulating

  /// Computes the values of the given rows in a range of scenarios.
  ///
  /// - Parameters:
  ///   - rows: The rows to compute, each after the rows it waits for.
  ///   - words: The words that hold the scenarios to simulate.
  private mutating func simulate(_ rows: some Sequence<Int>, _ words: Range<Int>) {
    var isCycleDone: Set<Int> = []
    for row in rows {
      if let cycle = circuit.cycle(of: row) {
        if isCycleDone.insert(cycle).inserted { simulate(cycle: cycle, words) }
        continue
      }
      switch circuit.network.kind(ofRow: row) {
      case .gate: evaluate(row, words)
      case .pebbleCase: evaluate(case: row, words)
      case .pebble:
        evaluate(row, words)
        for word in words {
          let enabled = activations[row]?[word] ?? .max
          ran[row * stride + word] = values[row * stride + word] & enabled
        }
      }
    }
  }

  /// Simulates a cycle. If the outcomes of the cycle were not computed, its pebbles neither run nor
  /// stall.
  private mutating func simulate(cycle: Int, _ words: Range<Int>) {
    var nodes: [Int: [UInt64]] = [0: Array(repeating: .max, count: words.count)]
    for pebble in circuit.cycles[cycle] {
      guard let cycles, let outcome = cycles.outcomes[pebble],
        let running = bits(of: outcome.ran, in: cycles, words, &nodes),
        let stalling = bits(of: outcome.stalled, in: cycles, words, &nodes)
      else { continue }
      for (word, bits) in zip(words, running) { ran[pebble * stride + word] = bits }
      var known = stalled[pebble] ?? Array(repeating: 0, count: stride)
      for (word, bits) in zip(words, stalling) { known[word] = bits }
      stalled[pebble] = known
    }
    for row in circuit.cycleRows[cycle] {
      if circuit.isCase(row) { evaluate(case: row, words) } else { evaluate(row, words) }
    }
  }

  private func bits(
    of function: BooleanFunction, in cycles: CycleOutcomes, _ words: Range<Int>,
    _ nodes: inout [Int: [UInt64]]
  ) -> [UInt64]? {
    cycles.value(of: function, known: &nodes) { variable, low, high in
      words.map { word in
        let condition: UInt64 =
          switch variable {
          case .ran(let pebble): ran[pebble * stride + word]
          case .body(let pebble): bodies[pebble * stride + word]
          case .activation(let pebble): activations[pebble]?[word] ?? .max
          case .case(let row): choices[row]?[word] ?? 0
          }
        let place = word - words.lowerBound
        return (condition & high[place]) | (~condition & low[place])
      }
    } negate: { words in
      words.map(~)
    }
  }

  /// Evaluates a case. The case holds if its pebble has the matching outcome and `CaseChoices`
  /// selects the case.
  private mutating func evaluate(case row: Int, _ words: Range<Int>) {
    let owner = circuit.network.cases[row]
    let outcome = Signal(owner.pebble, owner.name.outcomes)
    let choices = CaseChoices(of: owner.pebble, owner.name.outcomes, in: pond)
    let timeout = choices.timeout.map { [$0] } ?? []
    let before =
      owner.name.isValue ? choices.values.prefix { $0 != row } : timeout.filter { $0 != row }[...]
    for word in words {
      var value = bits(of: outcome, word)
      for other in before { value &= ~(self.choices[other]?[word] ?? 0) }
      if row != choices.last { value &= self.choices[row]?[word] ?? 0 }
      values[row * stride + word] = value
    }
  }

  private mutating func evaluate(_ gate: Int, _ words: Range<Int>) {
    let isAll = circuit.network.kinds[gate] == .all
    let isDecided = circuit.constants(of: gate).contains(!isAll)
    let places = circuit.places(of: gate)
    for word in words {
      var value: UInt64 = isAll != isDecided ? .max : 0
      if !isDecided {
        for place in places {
          let operand = bits(of: circuit.signal(at: place), word)
          value = isAll ? value & operand : value | operand
        }
      }
      values[gate * stride + word] = value
    }
  }

  // MARK: Reading

  /// Returns the zero-based index of the first scenario in the sample in which all the facts hold;
  /// `nil` if there is no such scenario.
  func lane(where facts: [ScenarioSearch.Fact]) -> Int? {
    for word in 0..<wordCount {
      let bits = self.bits(of: facts, word)
      if bits != 0 { return 64 * word + bits.trailingZeroBitCount }
    }
    return nil
  }

  func scenario(atLane lane: Int) -> Scenario {
    let (word, bit) = lane.quotientAndRemainder(dividingBy: 64)
    let mask = UInt64(1) << UInt64(bit)
    let failing = (0..<circuit.network.pebbleCount).filter { pebble in
      let place = pebble * stride + word
      return ran[place] & ~bodies[place] & mask != 0
    }
    let disabled = optional.filter { (activations[$0]?[word] ?? .max) & mask == 0 }
    let chosen = choices.filter { $0.value[word] & mask != 0 }.keys.sorted()
    return Scenario(failing: failing, disabled: disabled, chosen: chosen)
  }

  private func bits(of facts: [ScenarioSearch.Fact], _ word: Int) -> UInt64 {
    var bits = UInt64.max
    for fact in facts where bits != 0 { bits &= self.bits(of: fact, word) }
    return bits
  }

  private func bits(of fact: ScenarioSearch.Fact, _ word: Int) -> UInt64 {
    switch fact {
    case .signal(let signal):
      return bits(of: signal, word)
    case .condition(let pebble, let value):
      let bits = values[pebble * stride + word]
      return value ? bits : ~bits
    case .stalls(let pebble, let value):
      let bits = stalled[pebble]?[word] ?? 0
      return value ? bits : ~bits
    case .gate: return 0
    }
  }

  private func bits(of signal: Signal, _ word: Int) -> UInt64 {
    let place = signal.source * stride + word
    guard circuit.isPebble(signal.source) else {
      return signal.outcomes.contains(.succeeded) ? values[place] : ~values[place]
    }
    var bits: UInt64 = 0
    if signal.outcomes.contains(.succeeded) { bits |= ran[place] & bodies[place] }
    if signal.outcomes.contains(.failed) { bits |= ran[place] & ~bodies[place] }
    if signal.outcomes.contains(.skipped) { bits |= ~ran[place] }
    return bits
  }

  // MARK: Learning

  /// Adds a scenario to the sample. The scenario replaces an older one if there is no room.
  /// Scenarios are simulated in groups, so a search cannot find the scenario until its group is
  /// complete.
  mutating func learn(_ scenario: Scenario) {
    pending.append(scenario)
    let count = learnedCount % 64 + pending.count
    guard count & (count - 1) == 0 else { return }
    let word = firstLearned + learnedCount / 64 % (wordCount - firstLearned)
    for scenario in pending {
      let bit: UInt64 = 1 << UInt64(learnedCount % 64)
      for pebble in 0..<circuit.network.pebbleCount { bodies[pebble * stride + word] |= bit }
      for pebble in scenario.failing { bodies[pebble * stride + word] &= ~bit }
      for pebble in optional { activations[pebble]?[word] |= bit }
      for pebble in scenario.disabled { activations[pebble]?[word] &= ~bit }
      for row in choices.keys { choices[row]?[word] &= ~bit }
      for row in scenario.chosen { choices[row]?[word] |= bit }
      learnedCount += 1
    }
    pending.removeAll(keepingCapacity: true)
    simulate(circuit.order, word..<(word + 1))
  }

  /// Simplifies a scenario by leaving out failures without which the given facts still hold. Many
  /// failures are left out at a time, as in delta debugging (Zeller and Hildebrandt, *Simplifying
  /// and isolating failure-inducing input*, 2002).
  ///
  /// - Parameters:
  ///   - scenario: A scenario in which the facts hold, unless they depend on unknown outcomes.
  ///   - facts: The facts that must hold.
  ///   - rows: All rows on which the facts depend, each after the rows it waits for.
  /// - Returns: The simplified scenario, in which every failing body is called; `nil` if the facts
  ///   do not hold even in `scenario`.
  mutating func simplify(
    _ scenario: Scenario, for facts: [ScenarioSearch.Fact], _ rows: [Int]
  ) -> Scenario? {
    let pebbles = rows.filter(circuit.isPebble)
    let isInvolved = Set(pebbles)
    var simple = Scenario(
      failing: scenario.failing.filter(isInvolved.contains),
      disabled: scenario.disabled.filter(isInvolved.contains), chosen: scenario.chosen)
    for row in choices.keys { choices[row]?[wordCount] = 0 }
    for row in simple.chosen { choices[row]?[wordCount] = .max }
    for pebble in optional { activations[pebble]?[wordCount] = .max }
    for pebble in simple.disabled { activations[pebble]?[wordCount] = 0 }
    for pebble in pebbles { bodies[pebble * stride + wordCount] = .max }

    guard tryOut(simple.failing, leavingOut: [[]], rows, facts) != 0 else { return nil }
    simple.failing = failing(inTrial: 0, of: pebbles)
    while !simple.failing.isEmpty {
      let size = (simple.failing.count + 62) / 63
      let parts = Swift.stride(from: 0, to: simple.failing.count, by: size).map { start in
        Array(simple.failing[start..<min(start + size, simple.failing.count)])
      }
      let found = tryOut(simple.failing, leavingOut: parts, rows, facts)
      let needless = parts.indices.filter { found >> UInt64($0) & 1 == 1 }.map { parts[$0] }
      guard !needless.isEmpty else { break }
      // Each part can be left out alone, but perhaps not all of them together.
      var unions: [[Int]] = []
      for part in needless { unions.append((unions.last ?? []) + part) }
      let last = 63 - tryOut(simple.failing, leavingOut: unions, rows, facts).leadingZeroBitCount
      guard last >= 0 else { break }
      simple.failing = failing(inTrial: last, of: pebbles)
    }
    for pebble in pebbles { bodies[pebble * stride + wordCount] = .max }
    return simple
  }

  /// Simulates one scenario for each of up to 64 lists. In each scenario, all of the `failing`
  /// bodies fail, except those in the corresponding list.
  ///
  /// - Returns: One bit for each scenario, set if the facts hold in that scenario.
  private mutating func tryOut(
    _ failing: [Int], leavingOut lists: [[Int]], _ rows: [Int], _ facts: [ScenarioSearch.Fact]
  ) -> UInt64 {
    for pebble in failing { bodies[pebble * stride + wordCount] = 0 }
    for (bit, list) in lists.enumerated() {
      for pebble in list { bodies[pebble * stride + wordCount] |= 1 << UInt64(bit) }
    }
    simulate(rows, wordCount..<stride)
    return bits(of: facts, wordCount) & (.max >> UInt64(64 - lists.count))
  }

  /// Returns the bodies that failed in the given scenario of the last trial, and resets all bodies
  /// to success.
  private mutating func failing(inTrial bit: Int, of pebbles: [Int]) -> [Int] {
    pebbles.filter { pebble in
      let place = pebble * stride + wordCount
      defer { bodies[place] = .max }
      return (ran[place] & ~bodies[place]) >> UInt64(bit) & 1 == 1
    }.sorted()
  }
}
