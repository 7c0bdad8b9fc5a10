import Pebbles

/// The pebbles that are sure to have settled by the time a part of a condition is decided.
///
/// The conditions determine these pebbles. An AND is true when all its operands are true, so
/// everything that any operand waits for has settled. An OR is true when one operand is true, so
/// only pebbles that every operand waits for are sure to have settled. The result does not take
/// into account that outcomes can exclude each other. It may therefore lack some pebbles, but every
/// pebble in it is sure to have settled.
struct SettledBefore {
  private let circuit: Circuit
  private let optional: Set<Int>
  private let wordCount: Int

  /// The zero-based number of each row among the covered rows; -1 for a row that is not covered.
  /// Pebbles have the lowest numbers.
  private var numbers: [Int32]

  /// Three sets of pebbles for each covered row, `wordCount` words each: the pebbles that are sure
  /// to have settled when the row is false, the pebbles that are sure to have settled when it is
  /// true, and the pebbles that the row mentions. If a row can never have one of the two values,
  /// all bits of the set for that value are set.
  private var words: [UInt64]

  /// The maximum number of elements of `words`.
  private static let mostWords = 4_000_000

  /// Creates the sets for the given rows. Returns `nil` if there are too many rows.
  ///
  /// - Parameters:
  ///   - circuit: The conditions.
  ///   - rows: The rows to cover, each after the rows it waits for. All rows that these rows wait
  ///     for must be included.
  ///   - optional: The pebbles that may be disabled.
  init?(_ circuit: Circuit, _ rows: [Int], optional: Set<Int>) {
    self.circuit = circuit
    self.optional = optional
    let pebbles = rows.filter(circuit.isPebble)
    wordCount = (pebbles.count + 63) / 64
    guard rows.count * wordCount * 3 <= Self.mostWords else { return nil }
    numbers = Array(repeating: -1, count: circuit.network.rowCount)
    for (number, pebble) in pebbles.enumerated() { numbers[pebble] = Int32(number) }
    var count = Int32(pebbles.count)
    for row in rows where !circuit.isPebble(row) {
      numbers[row] = count
      count += 1
    }
    words = Array(repeating: 0, count: rows.count * wordCount * 3)
    for row in rows where circuit.cycle(of: row) == nil {
      set(row, false)
      set(row, true)
      if !circuit.isPebble(row) {
        let mentioned = circuit.signals(of: row).reduce(into: none) {
          $0.formUnion(self.mentioned(by: $1))
        }
        store(mentioned, at: start(row, 2))
      }
    }
  }

  /// Returns the pebbles that are sure to have settled when a signal is true.
  func settled(when signal: Circuit.Signal) -> PebbleSet {
    let source = signal.source
    switch circuit.network.kind(ofRow: source) {
    case .pebbleCase, .gate: return known(source, signal.outcomes.contains(.succeeded))
    case .pebble: break
    }
    var result = PebbleSet(.max, wordCount)
    if signal.outcomes.isEmpty { return result }
    if !signal.outcomes.isDisjoint(with: .completed) {
      result.formIntersection(known(source, true))
    }
    if signal.outcomes.contains(.skipped) {
      result.formIntersection(optional.contains(source) ? none : known(source, false))
    }
    result.insert(Int(numbers[source]))
    return result
  }

  /// Returns the pebbles that a signal mentions.
  func mentioned(by signal: Circuit.Signal) -> PebbleSet {
    var result = none
    if circuit.isPebble(signal.source) {
      result.insert(Int(numbers[signal.source]))
    } else if circuit.cycle(of: signal.source) == nil {
      let start = start(signal.source, 2)
      result = PebbleSet(words[start..<(start + wordCount)])
    } else {
      // Either the cycle is small, or no rule asks about its operands.
      for leaf in circuit.leaves(of: signal.source) {
        result.insert(Int(numbers[circuit.pebble(of: leaf.source)]))
      }
    }
    return result
  }

  var none: PebbleSet { PebbleSet(0, wordCount) }

  private func start(_ row: Int, _ part: Int) -> Int {
    (3 * Int(numbers[row]) + part) * wordCount
  }

  private mutating func store(_ pebbles: PebbleSet, at start: Int) {
    for word in 0..<wordCount { words[start + word] = pebbles.words[word] }
  }

  private func known(_ row: Int, _ value: Bool) -> PebbleSet {
    let start = start(row, value ? 1 : 0)
    return PebbleSet(words[start..<(start + wordCount)])
  }

  private mutating func set(_ gate: Int, _ value: Bool) {
    if circuit.network.kind(ofRow: gate) == .pebbleCase { return set(case: gate, value) }
    let isAll = circuit.network.kinds[gate] == .all
    // Either all operands together decide the gate, or a single one does.
    let needsAll = isAll == value
    var result = PebbleSet(needsAll ? 0 : .max, wordCount)
    for signal in circuit.signals(of: gate) {
      let operand = settled(when: value ? signal : !signal)
      if needsAll { result.formUnion(operand) } else { result.formIntersection(operand) }
    }
    if !needsAll, circuit.constants(of: gate).contains(value) { result.formIntersection(none) }
    store(result, at: start(gate, value ? 1 : 0))
  }
}

extension SettledBefore {
  /// Stores the set of pebbles that are sure to have settled when a case has the given value. A
  /// case can be false after any outcome, because the case might not be chosen.
  private mutating func set(case row: Int, _ value: Bool) {
    let owner = circuit.network.cases[row]
    let outcomes: OutcomeSet = value ? owner.name.outcomes : .settled
    store(settled(when: Circuit.Signal(owner.pebble, outcomes)), at: start(row, value ? 1 : 0))
  }
}

/// A set of pebbles, stored as one bit for each pebble.
struct PebbleSet {
  private(set) var words: [UInt64]

  /// Creates an empty set, or a set of all pebbles.
  ///
  /// - Parameters:
  ///   - word: 0 for an empty set, `.max` for a set of all pebbles.
  ///   - count: The number of words.
  init(_ word: UInt64, _ count: Int) {
    words = Array(repeating: word, count: count)
  }

  init(_ words: ArraySlice<UInt64>) {
    self.words = Array(words)
  }

  mutating func insert(_ pebble: Int) {
    words[pebble / 64] |= 1 << UInt64(pebble % 64)
  }

  mutating func formUnion(_ other: PebbleSet) {
    for word in words.indices { words[word] |= other.words[word] }
  }

  mutating func formIntersection(_ other: PebbleSet) {
    for word in words.indices { words[word] &= other.words[word] }
  }

  func isSubset(of other: PebbleSet) -> Bool {
    zip(words, other.words).allSatisfy { $0 & ~$1 == 0 }
  }
}
