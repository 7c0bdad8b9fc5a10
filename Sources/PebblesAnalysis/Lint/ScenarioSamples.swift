import Pebbles

/// Some scenarios of a pond, played 64 at a time, a bit for each: everything succeeds, one body
/// fails, several fail.
///
/// Scenarios with few failures come first, so that the first that shows something is easy to read.
/// The choice is always the same for the same pond.
struct ScenarioSamples {
  typealias Signal = Circuit.Signal

  private let circuit: Circuit
  private let wordCount: Int

  // `wordCount` words for each pebble.
  private var bodies: [UInt64]
  private var ran: [UInt64]
  private var stalled: [Int: [UInt64]] = [:]
  private var activations: [Int: [UInt64]] = [:]

  /// `wordCount` words for each row; those of pebbles are their conditions.
  private var values: [UInt64]

  /// How many words there are in all, for a pond so large that it matters, and per row.
  private static let mostWords = 2_000_000
  private static let usualWordCount = 32

  init(_ circuit: Circuit, _ knots: KnotOutcomes?, optional: Set<Int>) {
    self.circuit = circuit
    let network = circuit.network
    let fitting = Self.mostWords / max(1, network.rowCount)
    wordCount = max(1, min(Self.usualWordCount, fitting))
    bodies = Array(repeating: .max, count: network.pebbleCount * wordCount)
    ran = Array(repeating: 0, count: network.pebbleCount * wordCount)
    values = Array(repeating: 0, count: network.rowCount * wordCount)
    var generator = SampleGenerator(state: 0x5EED)
    chooseBodies(&generator)
    for pebble in optional.sorted() {
      activations[pebble] = (0..<wordCount).map { $0 == 0 ? .max : generator.next() }
    }
    play(knots, &generator)
  }

  /// The first half: all succeed, then one body fails in each scenario. The rest: with each word
  /// more of them.
  private mutating func chooseBodies(_ generator: inout SampleGenerator) {
    let count = circuit.network.pebbleCount
    let singles = max(1, wordCount / 2)
    let stride = max(1, count / max(1, 64 * singles - 1))
    for lane in 1..<(64 * singles) {
      let pebble = (lane - 1) * stride
      if pebble < count { bodies[pebble * wordCount + lane / 64] &= ~(1 << UInt64(lane % 64)) }
    }
    for word in singles..<max(singles, wordCount) {
      for pebble in 0..<count {
        // Of 64 bodies fail, on average: 1, 4, 16, 32, and so on.
        let failing =
          switch word % 4 {
          case 0: generator.next() & generator.next() & generator.next()
          case 1: generator.next() & generator.next()
          case 2: generator.next()
          default: (0..<5).reduce(generator.next()) { bits, _ in bits & generator.next() }
          }
        bodies[pebble * wordCount + word] = ~failing
      }
    }
  }

  private mutating func play(_ knots: KnotOutcomes?, _ generator: inout SampleGenerator) {
    var isKnotDone: Set<Int> = []
    for row in circuit.order {
      if let knot = circuit.knot(of: row) {
        if isKnotDone.insert(knot).inserted { play(knot: knot, knots) }
        continue
      }
      switch circuit.network.kind(ofRow: row) {
      case .predicate:
        for word in 0..<wordCount { values[row * wordCount + word] = generator.next() }
      case .gate: evaluate(row)
      case .pebble:
        evaluate(row)
        for word in 0..<wordCount {
          let enabled = activations[row]?[word] ?? .max
          ran[row * wordCount + word] = values[row * wordCount + word] & enabled
        }
      }
    }
  }

  /// In a knot that has not been worked out nothing runs, and nothing stalls.
  private mutating func play(knot: Int, _ knots: KnotOutcomes?) {
    var nodes: [Int: [UInt64]] = [0: Array(repeating: .max, count: wordCount)]
    for pebble in circuit.knots[knot] {
      guard let knots, let outcome = knots.outcomes[pebble],
        let running = words(of: outcome.ran, in: knots, &nodes),
        let stalling = words(of: outcome.stalled, in: knots, &nodes)
      else { continue }
      for word in 0..<wordCount { ran[pebble * wordCount + word] = running[word] }
      stalled[pebble] = stalling
    }
    var known: Set<Int> = []
    for pebble in circuit.knots[knot] {
      for gate in circuit.gates(below: pebble) where known.insert(gate).inserted {
        evaluate(gate)
      }
    }
  }

  private func words(
    of function: BooleanFunction, in knots: KnotOutcomes, _ nodes: inout [Int: [UInt64]]
  ) -> [UInt64]? {
    knots.value(of: function, known: &nodes) { variable, low, high in
      (0..<wordCount).map { word in
        let condition: UInt64 =
          switch variable {
          case .ran(let pebble): ran[pebble * wordCount + word]
          case .body(let pebble): bodies[pebble * wordCount + word]
          case .activation(let pebble): activations[pebble]?[word] ?? .max
          }
        return (condition & high[word]) | (~condition & low[word])
      }
    } negate: { words in
      words.map(~)
    }
  }

  private mutating func evaluate(_ gate: Int) {
    let isAll = circuit.network.kinds[gate] == .all
    let constants = circuit.constants(of: gate)
    let signals = circuit.signals(of: gate)
    for word in 0..<wordCount {
      var value: UInt64 = isAll ? .max : 0
      for constant in constants where constant != isAll { value = isAll ? 0 : .max }
      for signal in signals {
        value = isAll ? value & bits(of: signal, word) : value | bits(of: signal, word)
      }
      values[gate * wordCount + word] = value
    }
  }

  // MARK: Reading

  /// The first scenario in which all facts hold.
  func lane(where facts: [ScenarioSearch.Fact]) -> Int? {
    for word in 0..<wordCount {
      var bits = UInt64.max
      for fact in facts where bits != 0 { bits &= self.bits(of: fact, word) }
      if bits != 0 { return 64 * word + bits.trailingZeroBitCount }
    }
    return nil
  }

  func isTrue(_ fact: ScenarioSearch.Fact, lane: Int) -> Bool {
    bits(of: fact, lane / 64) >> UInt64(lane % 64) & 1 == 1
  }

  func isEnabled(_ pebble: Int, lane: Int) -> Bool {
    (activations[pebble]?[lane / 64] ?? .max) >> UInt64(lane % 64) & 1 == 1
  }

  private func bits(of fact: ScenarioSearch.Fact, _ word: Int) -> UInt64 {
    switch fact {
    case .signal(let signal):
      if case .predicate = circuit.network.kind(ofRow: signal.source) { return .max }
      return bits(of: signal, word)
    case .condition(let pebble, let value):
      let bits = values[pebble * wordCount + word]
      return value ? bits : ~bits
    case .stalls(let pebble, let value):
      let bits = stalled[pebble]?[word] ?? 0
      return value ? bits : ~bits
    case .gate: return 0
    }
  }

  private func bits(of signal: Signal, _ word: Int) -> UInt64 {
    let place = signal.source * wordCount + word
    guard circuit.isPebble(signal.source) else {
      return signal.outcomes.contains(.succeeded) ? values[place] : ~values[place]
    }
    var bits: UInt64 = 0
    if signal.outcomes.contains(.succeeded) { bits |= ran[place] & bodies[place] }
    if signal.outcomes.contains(.failed) { bits |= ran[place] & ~bodies[place] }
    if signal.outcomes.contains(.skipped) { bits |= ~ran[place] }
    return bits
  }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
private struct SampleGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
