extension ConditionTable {
  /// A condition, an operator or an operand, encoded in 32 bits. Bit 31 is 0 for an atom.
  ///
  /// ```
  /// bit 31   30 … 3    2 … 0
  ///      0   pebble    outcomes
  ///
  /// bit 31   30 … 28   27 … 0
  ///      1   kind      number of operands, position, or truth value
  /// ```
  @usableFromInline
  package struct Word: Sendable {
    let bits: UInt32

    enum Kind: UInt32 {
      case constant, all, any, not
      /// A condition that starts at a position in `operands`.
      case packed
      /// A condition at a position in `kept`.
      case kept
    }

    static let mostValue = 0x0FFF_FFFF

    init(_ kind: Kind, _ value: Int) {
      bits = 1 << 31 | kind.rawValue << 28 | UInt32(value)
    }

    @inline(__always)
    init(joining kind: GateKind, _ operandCount: Int) {
      self.init(kind == .all ? Kind.all : Kind.any, operandCount)
    }

    init(bits: UInt32) {
      self.bits = bits
    }

    init(atom pebble: UInt32, _ outcomes: OutcomeSet) {
      bits = pebble << 3 | UInt32(outcomes.rawValue)
    }

    /// Creates the word for an atom without a case.
    @inline(__always)
    init(_ atom: borrowing Atom) {
      self.init(atom: atom.pebble.index, atom.outcomes)
    }

    static let always = Word(.constant, 1)

    var isAtom: Bool { bits >> 31 == 0 }
    @inline(__always)
    var isNot: Bool { bits >> 28 == 0b1000 | Kind.not.rawValue }
    var isAlways: Bool { bits == Self.always.bits }
    var pebble: Int { Int(bits >> 3) }
    var outcomes: OutcomeSet { OutcomeSet(rawValue: UInt8(bits & 0b111)) }
    var value: Int { Int(bits & 0x0FFF_FFFF) }

    /// Returns a copy of the word with its pebble moved by an offset. A word that does not encode
    /// an atom is returned unchanged.
    func moved(by offset: Int) -> Word {
      isAtom ? Word(atom: UInt32(pebble + offset), outcomes) : self
    }

    @inline(__always)
    var kind: Kind {
      guard let kind = Kind(rawValue: bits >> 28 & 0b111) else {
        preconditionFailure("a packed condition has an impossible operator")
      }
      return kind
    }

    /// The kind of gate for an AND or an OR, regardless of the number of operands; `nil` for other
    /// words.
    @inline(__always)
    var gateKind: GateKind? {
      switch bits >> 28 {
      case 0b1000 | Kind.all.rawValue: .all
      case 0b1000 | Kind.any.rawValue: .any
      default: nil
      }
    }
  }
}
