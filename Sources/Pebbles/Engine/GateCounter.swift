import Synchronization

/// A countdown for one gate. It contains the number of operands still to arrive, and indicates
/// whether a dominant operand has already decided the gate.
///
/// An AND counts down its true operands, and a false operand decides the AND immediately. An OR
/// counts down its false operands, and a true operand decides the OR immediately. The counter
/// therefore distinguishes only *dominant* operands, which decide the gate, and *neutral* operands,
/// which are counted.
///
/// A gate is *open* while operands are missing and no dominant operand has arrived. It becomes
/// *dominated* when a dominant operand arrives, or *exhausted* when all operands have arrived and
/// all were neutral. Both states are final.
enum GateCounter {
  enum Reading {
    case open, dominated, exhausted
  }

  private static let dominatedFlag: UInt32 = 1 << 31

  static func reading(_ word: UInt32) -> Reading {
    if word & dominatedFlag != 0 { return .dominated }
    return word == 0 ? .exhausted : .open
  }

  /// Records the arrival of one operand. Inlining saves a call and a closure for each atom.
  ///
  /// - Parameters:
  ///   - counter: The countdown of the gate.
  ///   - isDominant: Whether the operand alone decides the gate.
  ///   - leaveNote: A closure that is called before a neutral operand is counted, unless that
  ///     operand is known to be the last. The effects of all these calls are visible to the caller
  ///     that delivers the last operand.
  /// - Returns: Whether this operand decided the gate; true for exactly one operand of a gate.
  @inline(__always)
  static func arrive(
    at counter: borrowing Atomic<UInt32>, isDominant: Bool, leaveNote: () -> Void = {}
  ) -> Bool {
    let seen = counter.load(ordering: .acquiring)
    if seen == 1 {
      // The last operand: no other runner writes this counter any more, and a plain store saves one
      // read-modify-write for each gate.
      counter.store(isDominant ? dominatedFlag : 0, ordering: .releasing)
      return true
    }
    if seen & dominatedFlag != 0 { return false }
    assert(seen != 0, "an operand arrived at a gate that had all of them")
    if isDominant {
      let old = counter.bitwiseOr(dominatedFlag, ordering: .acquiringAndReleasing).oldValue
      return old & dominatedFlag == 0
    }
    leaveNote()
    return counter.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }
}
