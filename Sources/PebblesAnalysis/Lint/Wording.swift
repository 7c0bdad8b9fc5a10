import Pebbles

/// A formatter that describes pebbles and parts of conditions in findings. The descriptions are
/// Swift source, shortened if they are long.
struct Wording {
  let graph: PondGraph
  let circuit: Circuit

  /// The maximum length of a name, in characters.
  static let longestName = 60

  private static let mostOnPath = 8
  private static let mostOperands = 8
  private static let mostDepth = 4

  func name(_ pebble: Int) -> String { Self.short(graph.names[pebble]) }

  static func short(_ name: String) -> String { name.shortName }

  /// Returns a list of names: `a`, `a and b`, `a, b, c, d and 3 more`.
  func list(_ pebbles: [Int], _ word: String = "and") -> String {
    pebbles.isEmpty ? "nothing" : pebbles.listed(name).joined(" \(word) ")
  }

  /// Returns a cycle as text: `a → b → a`. In a long cycle, a count replaces the remaining pebbles.
  func path(_ pebbles: [Int]) -> String {
    var parts = pebbles.prefix(Self.mostOnPath).map(name)
    if pebbles.count > parts.count { parts.append("… \(pebbles.count - parts.count) more …") }
    if let first = pebbles.first { parts.append(name(first)) }
    return parts.joined(separator: " → ")
  }

  /// Returns one operand of a gate as Swift source.
  func text(of signal: Circuit.Signal) -> String { text(of: signal, depth: 0, isInside: false) }

  /// Returns the given operands of a gate as Swift source, joined by the gate's operator.
  func text(of signals: [Circuit.Signal], _ kind: GateKind) -> String {
    text(of: signals, kind, depth: 0, isInside: false)
  }

  private func text(of signal: Circuit.Signal, depth: Int, isInside: Bool) -> String {
    let source = signal.source
    switch circuit.network.kind(ofRow: source) {
    case .pebble: return signal.outcomes.atom(of: name(source))
    case .pebbleCase:
      let owner = circuit.network.cases[source]
      let negation = signal.outcomes.contains(.succeeded) ? "" : "!"
      return "\(negation)\(name(owner.pebble)).\("\(owner.name)".truncated(to: Self.longestName))"
    case .gate: break
    }
    if let label = circuit.network.labels[source] {
      return label.truncated(to: Self.longestName).swiftLiteral
    }
    guard depth < Self.mostDepth else { return "…" }
    let constants = circuit.constants(of: source).map { $0 ? ".always" : ".never" }
    return text(
      of: Array(circuit.signals(of: source)), circuit.network.kinds[source], and: constants,
      depth: depth + 1, isInside: isInside)
  }

  private func text(
    of signals: [Circuit.Signal], _ kind: GateKind, and constants: [String] = [], depth: Int,
    isInside: Bool
  ) -> String {
    var parts: [String] = signals.prefix(Self.mostOperands).map {
      text(of: $0, depth: depth, isInside: signals.count + constants.count > 1)
    }
    parts += constants.prefix(1)
    if signals.count > Self.mostOperands { parts.append("…") }
    let joined = parts.joined(separator: kind == .all ? " && " : " || ")
    return isInside && parts.count > 1 ? "(\(joined))" : joined
  }
}
