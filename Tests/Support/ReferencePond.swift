import Pebbles

/// A pond to test with: conditions as plain trees over pebble numbers.
package struct ReferencePond: Sendable, CustomStringConvertible {
  package indirect enum Formula: Sendable {
    case constant(Bool)
    case atom(Int, OutcomeKind, isNegated: Bool)
    case `case`(Int, PebbleCase, isNegated: Bool)
    case not(Formula)
    case all([Formula])
    case any([Formula])
    /// One sub-expression, told by its number, that may stand in several places.
    case shared(Int, Formula)
  }

  package enum OutcomeKind: String, Sendable, CaseIterable {
    case succeeded, failed, skipped, completed, settled

    package func accepts(_ outcome: ReferenceOutcome) -> Bool {
      switch (self, outcome) {
      case (.succeeded, .succeeded), (.failed, .failed), (.skipped, .skipped): true
      case (.completed, .succeeded), (.completed, .failed): true
      case (.settled, _): true
      default: false
      }
    }
  }

  /// Each pebble's condition.
  package var conditions: [Formula]

  /// Whether each body would succeed.
  package var succeeds: [Bool]

  /// Each pebble's cases.
  package let cases: [ReferenceCases]

  /// By pebble, the cases that hold if it ends as they say.
  package var answers: [Set<PebbleCase>]

  /// The pebbles that each run is given: they have no bodies, and succeed before anything starts.
  package private(set) var given: Set<Int> = []

  package init(conditions: [Formula], succeeds: [Bool], cases: [ReferenceCases]? = nil) {
    self.conditions = conditions
    self.succeeds = succeeds
    self.cases = cases ?? conditions.map { _ in ReferenceCases() }
    answers = conditions.map { _ in [] }
  }

  /// Lets runs be given some of the pebbles that wait for nothing.
  package mutating func giveSome(using generator: inout SeededGenerator) {
    for pebble in conditions.indices {
      guard case .constant(true) = conditions[pebble], Bool.random(using: &generator) else {
        continue
      }
      given.insert(pebble)
      succeeds[pebble] = true
    }
  }

  /// The ways in which a pebble can end; in the first it succeeds.
  package func decisions(of pebble: Int) -> [ReferenceDecision] {
    ReferenceDecision.all(cases[pebble]).filter { $0.succeeds || !given.contains(pebble) }
  }

  /// The cases of a pebble that hold once it has ended like this.
  package func held(_ pebble: Int, _ outcome: ReferenceOutcome) -> Set<PebbleCase> {
    switch outcome {
    case .succeeded: answers[pebble].filter { !$0.isFailure }
    case .failed: answers[pebble].filter(\.isFailure)
    case .skipped: []
    }
  }

  package var description: String {
    conditions.indices.map { pebble in
      let cases = cases[pebble].list.isEmpty ? "" : " of \(cases[pebble].list)"
      let held = answers[pebble].isEmpty ? "" : " \(answers[pebble])"
      return "p\(pebble) [\(succeeds[pebble] ? "ok" : "fails")\(held)\(cases)]: "
        + "\(conditions[pebble])"
    }
    .joined(separator: "\n")
  }
}

package enum ReferenceOutcome: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case condition, stall(waitingOn: Set<Int>)
  }

  case succeeded, failed
  case skipped(Reason)
}

/// How a whole run ends: what everything else is said about.
package struct ReferenceEnding: Hashable, Sendable {
  package var outcomes: [ReferenceOutcome]

  /// By pebble, the cases that hold.
  package var held: [Set<PebbleCase>]

  package init(_ outcomes: [ReferenceOutcome], held: [Set<PebbleCase>]) {
    self.outcomes = outcomes
    self.held = held
  }

  /// The same, told only by some of the cases.
  package func telling(_ cases: ReferenceMentions) -> ReferenceEnding {
    ReferenceEnding(outcomes, held: zip(held, cases.byPebble).map { $0.intersection($1) })
  }
}

/// The cases that something mentions.
package struct ReferenceMentions {
  package private(set) var byPebble: [Set<PebbleCase>]

  package init(_ pond: ReferencePond) {
    byPebble = pond.conditions.map { _ in [] }
    var pending = pond.conditions
    while let formula = pending.popLast() {
      switch formula {
      case .constant, .atom: continue
      case .case(let pebble, let one, _): byPebble[pebble].insert(one)
      case .not(let operand), .shared(_, let operand): pending.append(operand)
      case .all(let operands), .any(let operands): pending += operands
      }
    }
  }

  /// Adds what is mentioned besides: of a value that is new all, as each depends on the others.
  package mutating func add(_ one: PebbleCase, of pebble: Int, in pond: ReferencePond) {
    guard byPebble[pebble].insert(one).inserted else { return }
    if one.isValue { byPebble[pebble].formUnion(pond.cases[pebble].list.filter(\.isValue)) }
  }
}

/// The meaning of conditions, written for obviousness: no counters, no queues, everything evaluated
/// again and again from the definition.
package struct ReferenceRun {
  package private(set) var pond: ReferencePond
  package private(set) var outcomes: [ReferenceOutcome?]
  package private(set) var running: Set<Int> = []
  package private(set) var started: [Int] = []

  /// Whether all cycles are skipped in one stall that what becomes ready there cannot open, and not
  /// only those that are there to begin with. In the end that makes no difference.
  private let goesOnInStalls: Bool

  /// Whether stalls are left to `settleStall()`.
  private let waitsAtRest: Bool

  package init(
    _ pond: ReferencePond, goesOnInStalls: Bool = false, waitsAtRest: Bool = false
  ) {
    self.pond = pond
    self.goesOnInStalls = goesOnInStalls
    self.waitsAtRest = waitsAtRest
    outcomes = Array(repeating: nil, count: pond.conditions.count)
    settle()
  }

  /// By pebble, the cases that hold.
  package var held: [Set<PebbleCase>] {
    outcomes.enumerated().map { pebble, outcome in outcome.map { pond.held(pebble, $0) } ?? [] }
  }

  /// Runs to the end, `choose` picking which running body ends next.
  package mutating func run(choosing choose: ([Int]) -> Int) {
    while !running.isEmpty {
      let next = choose(running.sorted())
      running.remove(next)
      outcomes[next] = pond.succeeds[next] ? .succeeded : .failed
      settle()
    }
  }

  /// Ends a running body, with the cases that hold of that if not those of the pond, and settles
  /// what follows.
  package mutating func finish(
    _ pebble: Int, succeeded: Bool, cases: Set<PebbleCase>? = nil
  ) {
    running.remove(pebble)
    if let cases { pond.answers[pebble] = cases }
    outcomes[pebble] = succeeded ? .succeeded : .failed
    settle()
  }

  /// Starts and skips all that is decided; when nothing runs any more, settles the stall and goes
  /// on.
  private mutating func settle() {
    while decideSomething() {}
    if !waitsAtRest { settleStall() }
  }

  /// Settles a stall, if nothing runs any more.
  package mutating func settleStall() {
    guard running.isEmpty else { return }
    while goesOnInStalls || running.isEmpty, skipCycles() {
      while decideSomething() {}
    }
  }

  private mutating func decideSomething() -> Bool {
    var changed = false
    for pebble in waiting {
      switch value(pond.conditions[pebble]) {
      case true: start(pebble)
      case false: outcomes[pebble] = .skipped(.condition)
      case nil: continue
      }
      changed = true
    }
    return changed
  }

  private mutating func start(_ pebble: Int) {
    running.insert(pebble)
    started.append(pebble)
  }

  private var waiting: [Int] {
    outcomes.indices.filter { outcomes[$0] == nil && !running.contains($0) }
  }

  /// Kleene's tables.
  package func value(_ formula: ReferencePond.Formula) -> Bool? {
    switch formula {
    case .constant(let value): return value
    case .atom(let pebble, let kind, let isNegated):
      return outcomes[pebble].map { kind.accepts($0) != isNegated }
    case .case(let pebble, let one, let isNegated):
      return outcomes[pebble].map { pond.held(pebble, $0).contains(one) != isNegated }
    case .not(let operand): return value(operand).map { !$0 }
    case .shared(_, let operand): return value(operand)
    case .all(let operands):
      let values = operands.map(value)
      if values.contains(false) { return false }
      return values.contains(nil) ? nil : true
    case .any(let operands):
      let values = operands.map(value)
      if values.contains(true) { return true }
      return values.contains(nil) ? nil : false
    }
  }

  /// The unsettled pebbles whose atoms can still matter for the value of a formula.
  private func waits(of formula: ReferencePond.Formula) -> Set<Int> {
    guard value(formula) == nil else { return [] }
    switch formula {
    case .constant: return []
    case .atom(let pebble, _, _), .case(let pebble, _, _): return [pebble]
    case .not(let operand), .shared(_, let operand): return waits(of: operand)
    case .all(let operands), .any(let operands):
      return operands.reduce(into: []) { $0.formUnion(waits(of: $1)) }
    }
  }

  /// Settles everything that waits only on itself: all cycles at once, each found by plain
  /// reachability.
  private mutating func skipCycles() -> Bool {
    let waiting = self.waiting
    guard !waiting.isEmpty else { return false }
    let waits = Dictionary(
      uniqueKeysWithValues: waiting.map { ($0, self.waits(of: pond.conditions[$0])) })
    func reachable(from pebble: Int) -> Set<Int> {
      var found: Set<Int> = []
      var pending = Array(waits[pebble, default: []])
      while let next = pending.popLast() {
        if found.insert(next).inserted { pending += waits[next, default: []] }
      }
      return found
    }
    let reach = waiting.map { ($0, reachable(from: $0)) }
    let reachOf = Dictionary(uniqueKeysWithValues: reach)
    var changed = false
    for (pebble, found) in reach
    where found.allSatisfy({ reachOf[$0, default: []].contains(pebble) }) {
      outcomes[pebble] = .skipped(.stall(waitingOn: waits[pebble, default: []]))
      changed = true
    }
    return changed
  }
}
