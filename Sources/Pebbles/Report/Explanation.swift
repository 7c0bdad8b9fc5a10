/// Says in one sentence why a pebble ended as it did, naming the pebbles behind it.
struct Explanation {
  private let storage: RunStorage
  private let operands: OperandIndex

  /// How many atoms a sentence names before it says how many more there are.
  private static let mostNamed = 4

  /// How deep nested gates are followed; what lies deeper is summed up.
  private static let deepest = 200

  init(_ storage: RunStorage) {
    self.storage = storage
    operands = storage.pond.operands
  }

  func sentence(for pebble: Int) -> String {
    let name = self.name(pebble)
    switch storage.state.status(of: pebble) {
    case .waiting: return "\(name) has not started"
    case .running: return "\(name) is running"
    case .succeeded: return "\(name) succeeded\(enabling(pebble))"
    case .failed:
      let error = storage.error(at: pebble).map { "\($0)" } ?? ""
      return "\(name) failed\(enabling(pebble)): \(error.singleLine)"
    case .skippedByCondition: return "\(name) was skipped: \(falsification(of: pebble))"
    case .skippedByStall: return "\(name) was skipped: \(stall(of: pebble))"
    case .skippedByPredicate:
      return
        "\(name) was skipped: only a predicate could still have let it start, and none held"
    case .skippedByCancellation:
      return "\(name) was skipped: the run was cancelled before it could start"
    }
  }

  private func enabling(_ pebble: Int) -> String {
    guard let cause = storage.state.cause(of: pebble) else { return "" }
    return ", having started when \(name(cause)) \(past(cause))"
  }

  private func stall(of pebble: Int) -> String {
    let waits = storage.stall(at: pebble)
    let names = waits.prefix(Self.mostNamed).map(name)
    let more = waits.count > names.count ? ["\(waits.count - names.count) more"] : []
    guard waits != [pebble] else { return "it waits for itself" }
    return "it waits for \((names + more).joined(" and ")), and that waits for it in turn"
  }

  private func falsification(of pebble: Int) -> String {
    let falsifier = falsifier(of: pebble, depth: 0)
    guard !falsifier.atoms.isEmpty else {
      guard let cause = storage.state.cause(of: pebble) else {
        return "its condition is false from the start"
      }
      return "its condition became false when \(name(cause)) \(past(cause))"
    }
    let named = falsifier.atoms.prefix(Self.mostNamed)
    let rest = falsifier.atoms.count - named.count
    let more = rest > 0 ? ["\(rest) more"] : []
    let needs = named.map { "\(name($0.pebble)) to \($0.outcomes.infinitive)" } + more
    let happened = named.map { "\(name($0.pebble)) \(past($0.pebble))" } + more
    let label = falsifier.label.map { "\($0.swiftLiteral), that is " } ?? ""
    return "it needs \(label)\(needs.joined(" or ")), but \(happened.joined(" and "))"
  }

  /// The atoms that together made a gate false, and when the last of them did.
  private struct Falsifier {
    struct Atom: Hashable {
      let pebble: Int
      let outcomes: OutcomeSet
    }

    var atoms: [Atom] = []
    var time: UInt64 = 0
    var label: String?
  }

  /// An OR is false because of all its operands; an AND because of one: the one that was false first.
  private func falsifier(of gate: Int, depth: Int) -> Falsifier {
    var found: Falsifier?
    for operand in operands[gate] {
      guard let falsifier = falsifier(of: operand, depth: depth) else { continue }
      switch (storage.pond.network.kinds[gate], found) {
      case (_, nil):
        found = falsifier
      case (.all, let other?):
        if falsifier.time < other.time { found = falsifier }
      case (.any, var other?):
        other.atoms += falsifier.atoms.filter { !other.atoms.contains($0) }
        other.time = max(other.time, falsifier.time)
        found = other
      }
    }
    var result = found ?? Falsifier()
    result.label = storage.pond.network.labels[gate] ?? result.label
    return result
  }

  private func falsifier(of operand: OperandIndex.Operand, depth: Int) -> Falsifier? {
    let source = Int(operand.source)
    switch storage.pond.network.kind(ofRow: source) {
    case .pebble:
      guard let event = storage.state.status(of: source).event, !operand.outcomes.accepts(event)
      else { return nil }
      return Falsifier(
        atoms: [Falsifier.Atom(pebble: source, outcomes: operand.outcomes)],
        time: storage.state.finished(source))
    case .gate:
      guard storage.state.value(ofGate: source) == false, depth < Self.deepest else { return nil }
      return falsifier(of: source, depth: depth + 1)
    case .predicate(let predicate):
      guard storage.state.isHeld(predicate: predicate), !operand.outcomes.contains(.succeeded)
      else { return nil }
      return Falsifier()
    }
  }

  private func name(_ pebble: Int) -> String { storage.pond.graph.names[pebble].swiftName }

  private func past(_ pebble: Int) -> String {
    switch storage.state.status(of: pebble).event {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: "was skipped"
    case nil: "had not ended"
    }
  }
}

extension OutcomeSet {
  /// The set as what a pebble is needed to do: "to …".
  package var infinitive: String {
    switch self {
    case .succeeded: "succeed"
    case .failed: "fail"
    case .skipped: "be skipped"
    case .completed: "complete"
    case .settled: "settle"
    case OutcomeSet.succeeded.complement: "fail or be skipped"
    case OutcomeSet.failed.complement: "succeed or be skipped"
    default: "never settle"
    }
  }

  fileprivate func accepts(_ event: Event) -> Bool { rawValue >> event.rawValue & 1 == 1 }
}

extension [String] {
  /// `a`, `a or b`, `a, b or c`.
  fileprivate func joined(_ word: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + word + last
  }
}

extension PebbleRecord {
  /// Why the pebble ended as it did, as one sentence that names the pebbles behind it, for example
  /// `showOffline was skipped: it needs ping to fail, but ping succeeded`.
  ///
  /// - Complexity: O(atoms of the condition); the first call for a definition O(pebbles + atoms).
  public var explanation: String { Explanation(storage).sentence(for: position) }
}
