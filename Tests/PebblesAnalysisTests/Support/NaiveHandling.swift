import Pebbles
import PebblesTestSupport

/// An obviously correct implementation of the rule for handled failures.
struct NaiveHandling {
  /// The atoms, as closures that determine whether an atom accepts an outcome and its cases. The
  /// outer key is the pebble that is read; the inner key is the pebble that reads it.
  private var atoms: [Int: [Int: [(ReferenceOutcome, Set<PebbleCase>) -> Bool]]] = [:]

  init(_ pond: ReferencePond) {
    for (reader, condition) in pond.conditions.enumerated() {
      note(condition, isNegated: false, reader: reader)
    }
  }

  private mutating func note(_ formula: ReferencePond.Formula, isNegated: Bool, reader: Int) {
    switch formula {
    case .constant: break
    case .atom(let pebble, let kind, let isAtomNegated):
      atoms[pebble, default: [:]][reader, default: []].append { outcome, _ in
        kind.accepts(outcome) != (isAtomNegated != isNegated)
      }
    case .case(let pebble, let one, let isAtomNegated):
      atoms[pebble, default: [:]][reader, default: []].append { _, held in
        held.contains(one) != (isAtomNegated != isNegated)
      }
    case .not(let operand): note(operand, isNegated: !isNegated, reader: reader)
    case .shared(_, let operand): note(operand, isNegated: isNegated, reader: reader)
    case .all(let operands), .any(let operands):
      for operand in operands { note(operand, isNegated: isNegated, reader: reader) }
    }
  }

  /// Returns whether there is a failure that no pebble handles or can still handle.
  func leavesFailure(_ outcomes: [ReferenceOutcome?], _ held: [Set<PebbleCase>]) -> Bool {
    outcomes.indices.contains { outcomes[$0] == .failed && !mayBeHandled($0, outcomes, held) }
  }

  func leavesFailure(_ run: ReferenceRun) -> Bool { leavesFailure(run.outcomes, run.held) }

  /// Returns the pebbles whose failures are unhandled.
  func unhandledFailures(_ ending: ReferenceEnding) -> [Int] {
    ending.outcomes.indices.filter {
      ending.outcomes[$0] == .failed && !mayBeHandled($0, ending.outcomes, ending.held)
    }
  }

  func mayBeHandled(
    _ pebble: Int, _ outcomes: [ReferenceOutcome?], _ held: [Set<PebbleCase>]
  ) -> Bool {
    var known: Set<Int> = [pebble]
    func isHandled(_ pebble: Int) -> Bool {
      guard let outcome = outcomes[pebble] else { return true }
      return atoms[pebble, default: [:]].contains { reader, atoms in
        switch outcomes[reader] {
        case nil, .succeeded, .failed: true
        case .skipped:
          atoms.contains { !$0(outcome, held[pebble]) } && known.insert(reader).inserted
            && isHandled(reader)
        }
      }
    }
    return isHandled(pebble)
  }
}
