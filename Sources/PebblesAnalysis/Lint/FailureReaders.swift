import Pebbles

/// A search for the pebbles that may handle a failure. The search considers only conditions, not
/// scenarios.
struct FailureReaders {
  /// An operand to ignore, identified by its signal and by the gate that reads it.
  struct Operand: Hashable {
    let gate: Int
    let signal: Circuit.Signal
  }

  enum Handlers {
    case pebbles([Int])
    /// The result for a failure that has too many readers to examine.
    case tooMany
  }

  private let network: ReadinessNetwork
  private let optional: Set<Int>
  private var readers: [Int: [ReadinessNetwork.Reader]] = [:]

  /// The pebbles whose skips need not be followed, because no pebble that reads such a skip can
  /// handle the failure that caused it.
  private var deadEnds: Set<Int> = []

  /// The number of readers that may still be examined.
  private var stepsLeft: Int

  init(_ network: ReadinessNetwork, optional: Set<Int>, mostSteps: Int = 3_000_000) {
    self.network = network
    self.optional = optional
    stepsLeft = mostSteps
  }

  /// Returns the pebbles that may handle the failure of a pebble by running after it.
  mutating func handlers(of pebble: Int) -> Handlers {
    var handlers: Set<Int> = []
    var skipped: Set<Int> = []
    var handedOn: Set<Int> = []
    var pending = [(pebble: pebble, event: Event.failed, isSure: true)]
    while let (next, event, isSure) = pending.popLast() {
      let readers = self.readers(of: next)
      stepsLeft -= 1 + readers.count
      guard stepsLeft > 0 else { return .tooMany }
      for reader in readers {
        let isSkipped = isSure && reader.isSurelySkipped(after: event)
        if isSkipped { skipped.insert(reader.pebble) } else { handlers.insert(reader.pebble) }
        guard reader.mayReject(event), handedOn.insert(reader.pebble).inserted,
          !deadEnds.contains(reader.pebble)
        else { continue }
        pending.append((reader.pebble, .skipped, isSkipped))
      }
    }
    handlers.subtract(skipped)
    if handlers.isEmpty { deadEnds.formUnion(handedOn) }
    return .pebbles(handlers.sorted())
  }

  /// Returns all pebbles that read the outcome of a pebble, or that read a skip caused by this
  /// outcome.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - event: The outcome of the pebble.
  ///   - operands: The operands to ignore in conditions.
  ///   - isSure: Whether to follow a skip only if it is certain. Skips that depend on cases, and
  ///     skips of pebbles that may be disabled, are not certain.
  /// - Returns: The pebbles, in definition order; `nil` if there are too many pebbles to examine.
  mutating func everyReader(
    of pebble: Int, after event: Event, without operands: Set<Operand>, isSure: Bool
  ) -> [Int]? {
    let sources = Set(operands.map(\.signal.source))
    var found: Set<Int> = []
    // A pebble may be found by a path on which it does not pass on the failure, and later by a path
    // on which it does.
    var handedOn: Set<Int> = []
    var pending = [(pebble: pebble, event: event)]
    while let (next, event) = pending.popLast() {
      let isTouched = !sources.isEmpty
      let readers =
        isTouched
        ? network.readers(of: next) { row, edge in
          guard sources.contains(row) else { return false }
          let signal = Circuit.Signal(row, edge.outcomes)
          return operands.contains(Operand(gate: edge.gate, signal: signal))
        } : self.readers(of: next)
      stepsLeft -= 1 + readers.count
      guard stepsLeft > 0 else { return nil }
      for reader in readers {
        found.insert(reader.pebble)
        let isHandedOn = isSure ? reader.rejects(event) : reader.mayReject(event)
        guard isHandedOn, !isSure || !optional.contains(reader.pebble)
        else { continue }
        if handedOn.insert(reader.pebble).inserted { pending.append((reader.pebble, .skipped)) }
      }
    }
    return found.sorted()
  }

  /// Returns whether the given pebble is mentioned in the condition of any pebble. Mentions in the
  /// goal do not count.
  mutating func isRead(_ pebble: Int) -> Bool { !readers(of: pebble).isEmpty }

  private mutating func readers(of pebble: Int) -> [ReadinessNetwork.Reader] {
    if let known = readers[pebble] { return known }
    let made = network.readers(of: pebble)
    readers[pebble] = made
    return made
  }
}

/// Functions that determine whether operands affect which failures are handled. A pebble handles a
/// failure if it reads the failure.
extension Lint {
  /// Returns whether leaving out an operand is proved not to affect which failures are handled. The
  /// operand must not affect the value of its condition.
  ///
  /// If the pond ignores failures, handling them makes no difference to a run. Otherwise, a failure
  /// that is no longer handled may cancel the run.
  ///
  /// - Returns: `true` if the pond ignores failures, or if it is proved that, without the operand,
  ///   the same failures are still handled in every scenario; otherwise, `false`.
  mutating func keepsHandling(without operand: Signal, of gate: Int) -> Bool {
    guard model.failurePolicy != .ignore else { return true }
    let removed = FailureReaders.Operand(gate: gate, signal: operand)
    let pebbles = circuit.pebbles(readBy: operand)
    guard pebbles.count <= Self.mostReads else {
      space.giveUp()
      return false
    }
    for pebble in pebbles {
      for event in [Event.failed, .skipped] {
        guard keepsHandling(of: pebble, after: event, without: removed) else { return false }
      }
    }
    return true
  }

  private mutating func keepsHandling(
    of pebble: Int, after event: Event, without operand: FailureReaders.Operand
  ) -> Bool {
    guard
      let before = failureReaders.everyReader(
        of: pebble, after: event, without: redundantOperands, isSure: false),
      let after = failureReaders.everyReader(
        of: pebble, after: event, without: redundantOperands.union([operand]), isSure: true)
    else {
      space.giveUp()
      return false
    }
    let kept = Set(after)
    let lost = before.filter { !kept.contains($0) }
    guard lost.count <= Self.mostReads else {
      space.giveUp()
      return false
    }
    let facts: [Fact] =
      [.signal(Signal(pebble, OutcomeSet(event)))] + after.map { .skipped($0) }
    return lost.allSatisfy { space.find(facts + [.ran($0)]).isImpossible }
  }

  /// The maximum number of pebbles to examine for one operand.
  private static var mostReads: Int { 100 }
}

extension Circuit {
  /// Returns the pebbles that a signal reads, directly or through the atoms below its gate.
  fileprivate func pebbles(readBy signal: Signal) -> [Int] {
    if !isGate(signal.source) { return [pebble(of: signal.source)] }
    var pebbles: Set<Int> = []
    for leaf in leaves(of: signal.source) { pebbles.insert(pebble(of: leaf.source)) }
    return pebbles.sorted()
  }
}
