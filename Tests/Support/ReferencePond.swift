import Pebbles

/// A simple model of a pond for tests, whose conditions are plain trees over pebble numbers.
package struct ReferencePond: Sendable, CustomStringConvertible {
  package indirect enum Formula: Sendable {
    case constant(Bool)
    case atom(Int, OutcomeKind, isNegated: Bool)
    case `case`(Int, PebbleCase, isNegated: Bool)
    case not(Formula)
    case all([Formula])
    case any([Formula])
    /// A subexpression, identified by its number, that may occur in several places.
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

  /// The condition of each pebble.
  package var conditions: [Formula]

  /// A Boolean value for each pebble that is `true` if the body of the pebble succeeds.
  package var succeeds: [Bool]

  /// The cases of each pebble.
  package let cases: [ReferenceCases]

  /// The answers of each pebble: the cases that hold if the pebble ends with the outcome to which
  /// they belong.
  package var answers: [Set<PebbleCase>]

  /// The pebbles that each run is given: they have no bodies, and succeed before anything starts.
  package private(set) var given: Set<Int> = []

  package init(conditions: [Formula], succeeds: [Bool], cases: [ReferenceCases]? = nil) {
    self.conditions = conditions
    self.succeeds = succeeds
    self.cases = cases ?? conditions.map { _ in ReferenceCases() }
    answers = conditions.map { _ in [] }
  }

  /// Makes given pebbles, which succeed, of some random pebbles that wait for nothing.
  package mutating func giveSome(using generator: inout SeededGenerator) {
    for pebble in conditions.indices {
      guard case .constant(true) = conditions[pebble], Bool.random(using: &generator) else {
        continue
      }
      given.insert(pebble)
      succeeds[pebble] = true
    }
  }

  /// Returns the possible ends of a pebble. In the first of them it succeeds.
  package func decisions(of pebble: Int) -> [ReferenceDecision] {
    ReferenceDecision.all(cases[pebble]).filter { $0.succeeds || !given.contains(pebble) }
  }

  /// Returns the cases of a pebble that hold after this outcome.
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

/// The end of a whole run: the outcome of each pebble, and the cases that hold.
package struct ReferenceEnding: Hashable, Sendable {
  package var outcomes: [ReferenceOutcome]

  /// The cases that hold, by pebble.
  package var held: [Set<PebbleCase>]

  package init(_ outcomes: [ReferenceOutcome], held: [Set<PebbleCase>]) {
    self.outcomes = outcomes
    self.held = held
  }

  /// Returns the same end, but with only those of the held cases that are mentioned.
  package func telling(_ cases: ReferenceMentions) -> ReferenceEnding {
    ReferenceEnding(outcomes, held: zip(held, cases.byPebble).map { $0.intersection($1) })
  }
}

/// The cases that the conditions of a pond mention, and others that were added.
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

  /// Adds a case that is mentioned elsewhere. If the case is a new value, adds all values of the
  /// pebble, because whether one value holds depends on the others.
  package mutating func add(_ one: PebbleCase, of pebble: Int, in pond: ReferencePond) {
    guard byPebble[pebble].insert(one).inserted else { return }
    if one.isValue { byPebble[pebble].formUnion(pond.cases[pebble].list.filter(\.isValue)) }
  }
}

/// A run of a reference pond, written to be obviously correct. It has no counters and no queues,
/// and evaluates everything anew from the definition at each step.
package struct ReferenceRun {
  package private(set) var pond: ReferencePond
  package private(set) var outcomes: [ReferenceOutcome?]
  package private(set) var running: Set<Int> = []
  package private(set) var started: [Int] = []

  /// Whether a stall continues to skip cycles even after one of its skips has made a pebble ready.
  /// If not, the remaining cycles wait until nothing is running again. The outcomes are the same in
  /// both cases.
  private let skipsCyclesInOneStall: Bool

  /// Whether stalls are left to `settleStall()`.
  private let waitsAtRest: Bool

  package init(
    _ pond: ReferencePond, skipsCyclesInOneStall: Bool = false, waitsAtRest: Bool = false
  ) {
    self.pond = pond
    self.skipsCyclesInOneStall = skipsCyclesInOneStall
    self.waitsAtRest = waitsAtRest
    outcomes = Array(repeating: nil, count: pond.conditions.count)
    settle()
  }

  /// The cases that hold, by pebble.
  package var held: [Set<PebbleCase>] {
    outcomes.enumerated().map { pebble, outcome in outcome.map { pond.held(pebble, $0) } ?? [] }
  }

  /// Runs the pond to the end. `choose` returns the running body that ends next.
  package mutating func run(choosing choose: ([Int]) -> Int) {
    while !running.isEmpty {
      let next = choose(running.sorted())
      running.remove(next)
      outcomes[next] = pond.succeeds[next] ? .succeeded : .failed
      settle()
    }
  }

  /// Ends a running body, and settles the pebbles that this decides. `cases` are the cases that
  /// hold; `nil` for the answers of the pond.
  package mutating func finish(
    _ pebble: Int, succeeded: Bool, cases: Set<PebbleCase>? = nil
  ) {
    running.remove(pebble)
    if let cases { pond.answers[pebble] = cases }
    outcomes[pebble] = succeeded ? .succeeded : .failed
    settle()
  }

  /// Starts and skips all pebbles whose conditions are decided. If nothing is running then, also
  /// settles the stall, unless stalls are left to `settleStall()`.
  private mutating func settle() {
    while decideSomething() {}
    if !waitsAtRest { settleStall() }
  }

  /// Settles a stall, if nothing is running.
  package mutating func settleStall() {
    guard running.isEmpty else { return }
    while skipsCyclesInOneStall || running.isEmpty, skipCycles() {
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

  /// Returns the value of a formula in Kleene's three-valued logic; `nil` if it is not known yet.
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

  /// Returns the unsettled pebbles that can still affect the value of a formula.
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

  /// Skips all pebbles that wait only for each other, and returns whether there were any such
  /// pebbles. All cycles are found at once, by plain reachability.
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
