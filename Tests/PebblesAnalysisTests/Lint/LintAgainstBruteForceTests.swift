import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests that the findings about random ponds are exactly those of a brute-force search through all
/// scenarios. Most of the ponds have many cycles.
@Suite(.watched) struct LintAgainstBruteForceTests {
  static let shards = Array(0..<5)

  /// Checks that an operand is reported as redundant only if the same failures are handled without
  /// it.
  @Test(arguments: shards)
  func whatIsLeftOutChangesNoHandling(shard: Int) async throws {
    var generator = SeededGenerator(seed: 8_000 + UInt64(shard))
    var (keptCount, lostCount, count) = (0, 0, 0)
    for _ in 0..<Thoroughness.times(40) {
      await Task.yield()
      let pond = Self.random(mostPebbles: 7, using: &generator)
      let truth = BruteForce(pond)
      let defined = Pond("random", smallestShared: .max, onFailure: .cancelAll)
      _ = pond.define(in: defined)
      var lint = Lint(try defined.model())
      for operand in lint.allOperands where lint.isRedundant(operand) {
        let without = lint.formula(without: operand)
        let isAlike = truth.isHandledAlike(operand.pebble, with: without)
        count += isAlike ? 1 : 0
        lostCount += isAlike ? 0 : 1
        guard lint.keepsHandling(operand) else { continue }
        keptCount += 1
        guard isAlike else {
          Issue.record("p\(operand.pebble) as \(without) changes what is handled\n\(pond)")
          return
        }
      }
    }
    // Both happen, and most of what is alike is proved to be.
    #expect(lostCount > 0 && keptCount * 10 >= count * 9, "\(keptCount) of \(count), \(lostCount)")
  }

  /// Checks that the findings are exact, and also whether one operand of each pond, chosen at
  /// random, is redundant.
  @Test(arguments: shards)
  func findingsAreExact(shard: Int) async throws {
    var generator = SeededGenerator(seed: 7_000 + UInt64(shard))
    var redundantCount = 0
    let count = Thoroughness.times(40)
    for _ in 0..<count {
      // Other tests want a turn.
      await Task.yield()
      let pond = Self.random(mostPebbles: 10, using: &generator)
      let truth = BruteForce(pond)
      let model = try pond.definedPond(smallestShared: .max).model()
      let findings = model.lint(also: [.unhandledFailure])

      let comparison = Comparison(pond: pond, truth: truth, findings: findings)
      if let problem = comparison.problem {
        Issue.record("\(problem)\n\(pond)\n\(findings)")
        return
      }

      var lint = Lint(model)
      guard let operand = lint.allOperands.randomElement(using: &generator) else { continue }
      let isRedundant = lint.isRedundant(operand)
      redundantCount += isRedundant ? 1 : 0
      let without = lint.formula(without: operand)
      guard isRedundant == truth.isSame(operand.pebble, with: without) else {
        Issue.record("p\(operand.pebble) as \(without): \(isRedundant)\n\(pond)")
        return
      }
      guard isRedundant, !lint.affectsStart(operand) else { continue }
      guard truth.startsAlike(operand.pebble, with: without, using: &generator) else {
        Issue.record("p\(operand.pebble) as \(without) changes the order\n\(pond)")
        return
      }
    }
    #expect(redundantCount > count / 20)
  }

  /// Returns a random pond. About half of the ponds have fewer pebbles, but conditions with cases.
  private static func random(
    mostPebbles: Int, using generator: inout SeededGenerator
  ) -> ReferencePond {
    var pond: ReferencePond =
      Bool.random(using: &generator)
      ? .random(mostPebbles: mostPebbles, using: &generator)
      : .randomWithCases(mostPebbles: 6, mostEndings: 500, using: &generator)
    if Bool.random(using: &generator) { pond.giveSome(using: &generator) }
    return pond
  }
}

/// An operand of a gate in the condition of a pebble.
private struct Operand {
  let pebble: Int
  let place: Lint.Place
  let index: Int
}

extension Lint {
  fileprivate var allOperands: [Operand] {
    pebbles.flatMap { pebble in
      var found: [Operand] = []
      var pending = [Place(gate: pebble)]
      while var place = pending.popLast() {
        place.operands = Array(circuit.signals(of: place.gate))
        for index in place.operands.indices {
          found.append(Operand(pebble: pebble, place: place, index: index))
          let source = place.operands[index].source
          if circuit.isGate(source) { pending.append(self.place(of: source, at: index, in: place)) }
        }
      }
      return found
    }
  }

  fileprivate mutating func isRedundant(_ operand: Operand) -> Bool {
    guard let cycle = circuit.cycle(of: operand.pebble) else {
      return isRedundant(at: operand.index, in: operand.place)
    }
    return space.isRedundant(.init(gate: operand.place.gate, place: operand.index), in: cycle)
  }

  fileprivate mutating func affectsStart(_ operand: Operand) -> Bool {
    affectsStart(at: operand.index, in: operand.place, of: operand.pebble)
  }

  fileprivate mutating func keepsHandling(_ operand: Operand) -> Bool {
    keepsHandling(without: operand.place.operands[operand.index], of: operand.place.gate)
  }

  fileprivate func formula(without operand: Operand) -> ReferencePond.Formula {
    circuit.formula(of: operand.pebble, without: (operand.place.gate, operand.index))
  }
}

extension Circuit {
  /// Returns the condition of a gate, reconstructed from the network without the given operand.
  fileprivate func formula(
    of gate: Int, without omission: (gate: Int, index: Int)
  ) -> ReferencePond.Formula {
    var operands = signals(of: gate).map { signal -> ReferencePond.Formula in
      if network.kind(ofRow: signal.source) == .pebbleCase {
        let (owner, isNegated) = (network.cases[signal.source], signal.outcomes != .succeeded)
        return .case(owner.pebble, owner.name, isNegated: isNegated)
      }
      guard isPebble(signal.source) else {
        let inner = formula(of: signal.source, without: omission)
        return signal.outcomes.contains(.succeeded) ? inner : .not(inner)
      }
      return signal.formula
    }
    if gate == omission.gate { operands.remove(at: omission.index) }
    operands += constants(of: gate).map { .constant($0) }
    return network.kinds[gate] == .all ? .all(operands) : .any(operands)
  }
}

extension Circuit.Signal {
  fileprivate var formula: ReferencePond.Formula {
    let kinds: [(OutcomeSet, ReferencePond.OutcomeKind)] = [
      (.succeeded, .succeeded), (.failed, .failed), (.skipped, .skipped),
      (.completed, .completed), (.settled, .settled),
    ]
    for (outcomes, kind) in kinds {
      if self.outcomes == outcomes { return .atom(source, kind, isNegated: false) }
      if self.outcomes == outcomes.complement { return .atom(source, kind, isNegated: true) }
    }
    return .constant(false)
  }
}

/// A comparison of findings with the truth about a random pond. The names of its pebbles consist of
/// `p` and a number.
private struct Comparison {
  let pond: ReferencePond
  let truth: BruteForce
  let findings: Findings

  private var pebbles: Range<Int> { pond.conditions.indices }

  private func numbers(_ names: [String]) -> Set<Int> {
    Set(names.compactMap { Int($0.dropFirst()) })
  }

  private func pebbles(of kind: Finding.Kind) -> Set<Int> {
    findings.of(kind).reduce(into: []) { $0.formUnion(numbers($1.pebbles)) }
  }

  /// A description of the first finding that is missing or wrong; `nil` if the findings are right.
  var problem: String? {
    let dead = Set(pebbles.filter(truth.runsNever))
    let deadKinds: [Finding.Kind] = [.neverTrue, .neverRuns, .alwaysStalls]
    let found = deadKinds.flatMap { findings.of($0) }
    let named = found.flatMap { $0.pebbles + $0.followers }
    if numbers(named) != dead { return "never run: \(dead.sorted())" }
    if named.count != dead.count { return "a pebble that never runs is reported twice" }
    if let wrong = wrongReason(found) { return wrong }

    let always = pebbles.filter { pebble in
      let condition = pond.conditions[pebble].normal
      return !condition.atoms.isEmpty && truth.runsAlways(pebble)
        && !truth.isTrueByOrderAlone(condition)
    }
    if pebbles(of: .alwaysTrue) != Set(always) { return "always true: \(always)" }

    for pebble in pebbles where !dead.contains(pebble) && !always.contains(pebble) {
      let isMended = !findings.of(.redundant).filter { $0.pebbles == ["p\(pebble)"] }.isEmpty
      let expected = truth.unreachableBranches(of: pebble, dead: dead)
      let count = findings.of(.unreachableBranch).count { $0.pebbles == ["p\(pebble)"] }
      if count != expected, !isMended || count > expected {
        return "unreachable branches of p\(pebble): \(expected)"
      }
    }
    return wrongFailures(dead) ?? wrongCycles(dead)
  }

  private func wrongReason(_ found: [Finding]) -> String? {
    for finding in found {
      let members = numbers(finding.pebbles)
      let stallAlways = members.allSatisfy(truth.stallsAlways)
      switch finding.kind {
      case .alwaysStalls where !stallAlways: return "\(finding.pebbles) do not always stall"
      case .neverRuns where stallAlways: return "\(finding.pebbles) always stall"
      case .neverTrue where members.contains(where: truth.stallsSometimes):
        return "\(finding.pebbles) can stall"
      default: continue
      }
    }
    return nil
  }

  private func wrongFailures(_ dead: Set<Int>) -> String? {
    let unhandled = pebbles.filter { !dead.contains($0) && truth.canFailUnhandled($0) }
    let found = pebbles(of: .unhandledFailure)
    // Where it hangs on a case whether a skip hands a failure on, lint takes it that it does.
    let mayMiss = pond.cases.contains { !$0.list.isEmpty }
    guard mayMiss ? found.isSubset(of: unhandled) : found == Set(unhandled) else {
      return "failures unhandled: \(unhandled)"
    }
    for finding in findings.of(.unhandledFailure) {
      guard let example = finding.example, let pebble = numbers(finding.pebbles).first else {
        continue
      }
      let failing = numbers(example.failing).reduce(0) { $0 | 1 << $1 }
      let rule = NaiveHandling(pond)
      let isThere = truth.endings.contains {
        $0.failed == failing && rule.unhandledFailures($0.end).contains(pebble)
      }
      if !isThere {
        return "\(example) is no example for p\(pebble)"
      }
    }
    return nil
  }

  private func wrongCycles(_ dead: Set<Int>) -> String? {
    for finding in findings.of(.cycle) {
      let members = numbers(finding.pebbles)
      let stalls = members.contains(where: truth.stallsSometimes)
      if stalls, finding.severity != .warning { return "\(finding.pebbles) can stall" }
    }
    return nil
  }
}
