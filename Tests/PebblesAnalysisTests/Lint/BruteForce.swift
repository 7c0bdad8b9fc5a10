import Pebbles
import PebblesTestSupport

@testable import PebblesAnalysis

/// A brute-force implementation of lint, which runs a pond in every scenario.
struct BruteForce {
  typealias Formula = ReferencePond.Formula

  let pond: ReferencePond
  let endings: [AllEndings.Ending]

  init(_ pond: ReferencePond) {
    self.pond = pond
    endings = AllEndings(pond).endings
  }

  func runsNever(_ pebble: Int) -> Bool { endings.allSatisfy { $0.ran >> pebble & 1 == 0 } }

  func runsAlways(_ pebble: Int) -> Bool { endings.allSatisfy { $0.ran >> pebble & 1 == 1 } }

  func stallsAlways(_ pebble: Int) -> Bool { endings.allSatisfy { $0.stalls(pebble) } }

  func stallsSometimes(_ pebble: Int) -> Bool { endings.contains { $0.stalls(pebble) } }

  /// Returns whether there is a scenario in which a pebble fails and no pebble handles its failure.
  func canFailUnhandled(_ pebble: Int) -> Bool {
    let rule = NaiveHandling(pond)
    return endings.contains { ending in
      ending.failed >> pebble & 1 == 1
        && !rule.mayBeHandled(pebble, ending.outcomes, ending.end.held)
    }
  }

  /// Returns whether the same failures are handled in every scenario if the condition of a pebble
  /// is replaced. The new condition must be true in the same scenarios as the old one.
  func isHandledAlike(_ pebble: Int, with condition: Formula) -> Bool {
    var changed = pond
    changed.conditions[pebble] = condition
    let rules = (NaiveHandling(pond), NaiveHandling(changed))
    return endings.allSatisfy { ending in
      pond.conditions.indices.allSatisfy {
        ending.failed >> $0 & 1 == 0
          || rules.0.mayBeHandled($0, ending.outcomes, ending.end.held)
            == rules.1.mayBeHandled($0, ending.outcomes, ending.end.held)
      }
    }
  }

  /// Returns whether the same pebbles run in every scenario if the condition of a pebble is
  /// replaced.
  func isSame(_ pebble: Int, with condition: Formula) -> Bool {
    var changed = pond
    changed.conditions[pebble] = condition
    return endings.reversed().allSatisfy { ending in
      changed.decide(as: ending)
      var run = ReferenceRun(changed)
      run.run { $0[0] }
      return run.started.reduce(0) { $0 | 1 << $1 } == ending.ran
    }
  }

  /// Returns whether a pebble starts equally early if its condition is replaced: after the same
  /// number of bodies have ended, in every scenario. The bodies end in a random order.
  func startsAlike(
    _ pebble: Int, with condition: Formula, using generator: inout SeededGenerator
  ) -> Bool {
    var changed = pond
    changed.conditions[pebble] = condition
    return endings.allSatisfy { ending in
      let ranks = pond.conditions.indices.shuffled(using: &generator)
      let starts = [pond, changed].map { pond in
        var pond = pond
        pond.decide(as: ending)
        var steps: [[Int]] = []
        var run = ReferenceRun(pond)
        run.run { running in
          steps.append(running)
          return running.min { ranks[$0] < ranks[$1] } ?? running[0]
        }
        return steps.map { $0.contains(pebble) }
      }
      return starts[0] == starts[1]
    }
  }

  // MARK: Conditions in normal form

  /// Returns whether a condition is true because of atoms that are themselves true in every
  /// scenario.
  func isTrueByOrderAlone(_ condition: NormalForm) -> Bool {
    switch condition {
    case .atom(let atom): return endings.allSatisfy { atom.isTrue(in: $0) }
    case .constant(let value): return value
    case .all(let operands): return operands.allSatisfy(isTrueByOrderAlone)
    case .any(let operands):
      return operands.contains { operand in
        if case .constant = operand { return false }
        return isTrueByOrderAlone(operand)
      }
    }
  }

  /// Returns the number of branches of ORs that are never true while the operands that must be true
  /// with them are true. Branches inside such a branch are not examined, and branches that are
  /// never true because of dead pebbles are not counted.
  func unreachableBranches(of pebble: Int, dead: Set<Int>) -> Int {
    let live = endings.filter { !$0.stalls(pebble) }
    return unreachableBranches(of: pond.conditions[pebble].normal, live, dead)
  }

  private func unreachableBranches(
    of condition: NormalForm, _ endings: [AllEndings.Ending], _ dead: Set<Int>
  ) -> Int {
    switch condition {
    case .atom, .constant: return 0
    case .all(let operands):
      return operands.indices.reduce(0) { sum, index in
        let others = operands.indices.filter { $0 != index }.map { operands[$0] }
        let reaching = endings.filter { ending in others.allSatisfy { $0.isTrue(in: ending) } }
        return sum + unreachableBranches(of: operands[index], reaching, dead)
      }
    case .any(let operands):
      return operands.reduce(0) { sum, operand in
        if case .constant = operand { return sum }
        if endings.contains(where: operand.isTrue(in:)) {
          return sum + unreachableBranches(of: operand, endings, dead)
        }
        return sum + (endings.contains { operand.isTrue(in: $0, freeing: dead) } ? 0 : 1)
      }
    }
  }
}

extension ReferencePond {
  fileprivate mutating func decide(as ending: AllEndings.Ending) {
    succeeds = conditions.indices.map { ending.failed >> $0 & 1 == 0 }
    answers = ending.end.held
  }
}

extension AllEndings.Ending {
  func stalls(_ pebble: Int) -> Bool {
    if case .skipped(.stall) = outcomes[pebble] { true } else { false }
  }
}

/// A condition in which only atoms are negated, no AND is an operand of an AND, and no OR is an
/// operand of an OR.
indirect enum NormalForm {
  struct Atom {
    enum Outcome: CaseIterable { case succeeded, failed, skipped }

    let pebble: Int
    let accepts: Set<Outcome>
    var one: PebbleCase?

    func isTrue(in ending: AllEndings.Ending) -> Bool {
      // Of a case, it accepts success alone, or, if it is negated, all others.
      if let one { return ending.end.held[pebble].contains(one) == (accepts == [.succeeded]) }
      return switch ending.outcomes[pebble] {
      case .succeeded: accepts.contains(.succeeded)
      case .failed: accepts.contains(.failed)
      case .skipped: accepts.contains(.skipped)
      }
    }
  }

  case constant(Bool)
  case atom(Atom)
  case all([NormalForm])
  case any([NormalForm])

  var atoms: [Atom] {
    switch self {
    case .constant: []
    case .atom(let atom): [atom]
    case .all(let operands), .any(let operands): operands.flatMap(\.atoms)
    }
  }

  func isTrue(in ending: AllEndings.Ending) -> Bool { isTrue(in: ending, freeing: []) }

  func isTrue(in ending: AllEndings.Ending, freeing freed: Set<Int>) -> Bool {
    switch self {
    case .constant(let value): value
    case .atom(let atom): freed.contains(atom.pebble) || atom.isTrue(in: ending)
    case .all(let operands): operands.allSatisfy { $0.isTrue(in: ending, freeing: freed) }
    case .any(let operands): operands.contains { $0.isTrue(in: ending, freeing: freed) }
    }
  }
}

extension ReferencePond.Formula {
  var normal: NormalForm { normal(isNegated: false) }

  private func normal(isNegated: Bool) -> NormalForm {
    switch self {
    case .constant(let value): return .constant(value != isNegated)
    case .atom(let pebble, let kind, let isAtomNegated):
      let accepts = Set(kind.accepted)
      let all = Set(NormalForm.Atom.Outcome.allCases)
      let isOpposite = isAtomNegated != isNegated
      return .atom(
        .init(pebble: pebble, accepts: isOpposite ? all.subtracting(accepts) : accepts))
    case .case(let pebble, let one, let isAtomNegated):
      return .atom(
        .init(
          pebble: pebble,
          accepts: isAtomNegated == isNegated ? [.succeeded] : [.failed, .skipped], one: one))
    case .not(let operand): return operand.normal(isNegated: !isNegated)
    case .shared(_, let operand): return operand.normal(isNegated: isNegated)
    case .all(let operands): return Self.joined(operands, isNegated: isNegated, isAll: !isNegated)
    case .any(let operands): return Self.joined(operands, isNegated: isNegated, isAll: isNegated)
    }
  }

  private static func joined(
    _ operands: [Self], isNegated: Bool, isAll: Bool
  ) -> NormalForm {
    let normal = operands.map { $0.normal(isNegated: isNegated) }
    if isAll {
      return .all(
        normal.flatMap { operand in
          if case .all(let inner) = operand { return inner }
          return [operand]
        })
    }
    return .any(
      normal.flatMap { operand in
        if case .any(let inner) = operand { return inner }
        return [operand]
      })
  }
}

extension ReferencePond.OutcomeKind {
  fileprivate var accepted: [NormalForm.Atom.Outcome] {
    switch self {
    case .succeeded: [.succeeded]
    case .failed: [.failed]
    case .skipped: [.skipped]
    case .completed: [.succeeded, .failed]
    case .settled: [.succeeded, .failed, .skipped]
    }
  }
}
