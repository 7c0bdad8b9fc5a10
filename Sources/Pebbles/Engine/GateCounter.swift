import Synchronization

/// The countdown of one gate: how many operands are still to arrive, and whether one of them has
/// already decided the gate.
///
/// An AND counts its true operands down and is decided at once by a false one; an OR the other way
/// round. Both are the same machine: an operand is *dominant* (decides) or *neutral* (counts).
///
/// States: *open* (operands missing, no dominant one). Can go to *dominated* (a dominant operand
/// arrived) or *exhausted* (all operands arrived, all neutral). Both are final.
enum GateCounter {
  enum Reading {
    case open, dominated, exhausted
  }

  private static let dominatedFlag: UInt32 = 1 << 31

  static func reading(_ word: UInt32) -> Reading {
    if word & dominatedFlag != 0 { return .dominated }
    return word == 0 ? .exhausted : .open
  }

  /// Takes note of one operand. Inlined, which saves a call for each atom, and the closure.
  ///
  /// - Parameters:
  ///   - counter: The countdown of the gate.
  ///   - isDominant: Whether the operand decides the gate alone.
  ///   - leaveNote: Called before a neutral operand is counted that others are to follow; the one
  ///     that turns out to be the last sees all that was done in it.
  /// - Returns: Whether this operand decided the gate; true for exactly one operand of a gate.
  @inline(__always)
  static func arrive(
    at counter: borrowing Atomic<UInt32>, isDominant: Bool, leaveNote: () -> Void = {}
  ) -> Bool {
    let seen = counter.load(ordering: .acquiring)
    if seen == 1 {
      // The last operand: no other runner will write this counter any more, and a plain store saves
      // one read-modify-write for each gate.
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
