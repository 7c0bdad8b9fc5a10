extension Condition: CustomStringConvertible {
  /// The condition as Swift source, for example
  /// `loadLaunches.completed && (ping.failed || !loadCores.succeeded)`.
  ///
  /// Names that are not Swift identifiers are written as string literals: `"load cores".failed`.
  /// The description is truncated after ten thousand leaves or a million bytes, and then ends with
  /// `…`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of leaves in the description.
  public var description: String {
    text(mostLeaves: 10_000, mostBytes: 1_000_000)
  }

  /// Returns the condition as Swift source, truncated after a number of leaves or bytes.
  func text(mostLeaves: Int, mostBytes: Int) -> String {
    var writer = ConditionWriter(mostLeaves: mostLeaves, mostBytes: mostBytes)
    return writer.write(self)
  }
}

/// A writer that converts conditions to Swift source. Instead of using recursion, it keeps a list
/// of the pieces to be written, so deep conditions are safe.
private struct ConditionWriter {
  private enum Piece {
    case text(String)
    case label(String)
    case condition(Condition, Binding)
  }

  /// The precedence of the surrounding expression. An operator of lower precedence needs
  /// parentheses inside that expression.
  private enum Binding: Int {
    case or, and, not, member

    /// Whether a `!` needs parentheses inside the surrounding expression. Without them, Swift would
    /// read `!!` as one operator, and would apply the `!` in `!a.labeled("b")` to the labelled
    /// condition.
    var isolatesNegation: Bool { rawValue >= Binding.not.rawValue }
  }

  /// The maximum number of leaves to write. A longer condition is truncated and ends with `…`. A
  /// condition with shared operands may be exponentially long when written out.
  private let mostLeaves: Int
  private let mostBytes: Int

  private var pending: [Piece] = []
  private var text = ""
  private var leaves = 0

  init(mostLeaves: Int, mostBytes: Int) {
    self.mostLeaves = mostLeaves
    self.mostBytes = mostBytes
  }

  mutating func write(_ condition: Condition) -> String {
    pending = [.condition(condition, .or)]
    while let piece = pending.popLast() {
      switch piece {
      case .text(let string):
        text += string
      case .label(let label):
        guard text.utf8.count < mostBytes else { return text + "…" }
        text += ".labeled(\(label.swiftLiteral))"
      case .condition(let condition, let binding):
        guard leaves < mostLeaves, text.utf8.count < mostBytes else { return text + "…" }
        write(condition, within: binding)
      }
    }
    return text
  }

  private mutating func write(_ condition: Condition, within binding: Binding) {
    switch condition.expression {
    case .constant(let value):
      leaf(value ? ".always" : ".never")
    case .atom(let atom):
      let text = atom.text
      leaf(text.first == "!" && binding.isolatesNegation ? "(\(text))" : text)
    case .compound(let node):
      write(node.operation, of: node.operands, within: binding)
    }
  }

  private mutating func write(
    _ operation: Compound.Operation, of operands: [Condition], within binding: Binding
  ) {
    switch operation {
    case .all:
      join(operands, with: " && ", binding: .and, within: binding, empty: ".always")
    case .any:
      join(operands, with: " || ", binding: .or, within: binding, empty: ".never")
    case .not:
      if binding.isolatesNegation { wrap() }
      text += "!"
      pending += operands.map { .condition($0, .not) }
    case .labeled(let label):
      pending.append(.label(label))
      pending += operands.map { .condition($0, .member) }
    }
  }

  private mutating func join(
    _ operands: [Condition], with separator: String, binding: Binding, within outer: Binding,
    empty: String
  ) {
    guard let first = operands.first else { return leaf(empty) }
    guard operands.count > 1 else { return pending.append(.condition(first, outer)) }
    if binding.rawValue < outer.rawValue { wrap() }
    for operand in operands.dropFirst().reversed() {
      pending += [.condition(operand, binding), .text(separator)]
    }
    pending.append(.condition(first, binding))
  }

  /// Opens a parenthesis, which is closed after the next piece.
  private mutating func wrap() {
    text += "("
    pending.append(.text(")"))
  }

  private mutating func leaf(_ string: String) {
    leaves += 1
    text += string
  }
}

extension Atom {
  /// The atom as Swift source. If no property of `Pebble` stands for the outcomes, the atom is
  /// written as the negation of the property that stands for all other outcomes.
  package var text: String {
    let name = pebble.name.swiftName
    guard let place = casePlace else { return outcomes.atom(of: name) }
    let cases = pebble.definition.cases(at: Int(pebble.index)).cases
    // A case that was created after its pond was gone has no name.
    let text = place < cases.count ? "\(cases[place])" : "…"
    return "\(isNegatedCase ? "!" : "")\(name).\(text)"
  }
}
