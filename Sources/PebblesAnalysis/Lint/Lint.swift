import Pebbles

/// A check that applies all rules to a pond, one after another. No rule reports what an earlier
/// rule has already found.
struct Lint {
  typealias Signal = Circuit.Signal
  typealias Fact = ScenarioSearch.Fact

  let model: PondModel
  let circuit: Circuit
  let wording: Wording
  var space: ScenarioSearch

  /// A table of the pebbles that are sure to have settled before a given part of a condition is
  /// decided. The outer optional is `nil` until the table is computed. The inner optional is `nil`
  /// if the pond has too many rows.
  private var knownSettledBefore: SettledBefore??

  /// The pebbles that do not run in any scenario.
  var dead: Set<Int> = []

  /// The pebbles whose conditions are true in every scenario, although they depend on uncertain
  /// outcomes.
  var alwaysTrue: Set<Int> = []

  /// The results of examining signals, keyed by signal: `true` if the signal is proved to be true
  /// in every scenario, otherwise `false`.
  var constancy: [Signal: Bool] = [:]

  /// The cycles whose operands are no longer examined, for example because a redundant operand has
  /// already been found.
  var finishedCycles: Set<Int> = []

  /// The search for the pebbles that may handle a failure.
  var failureReaders: FailureReaders

  /// The operands that are already reported as redundant or unreachable.
  var redundantOperands: Set<FailureReaders.Operand> = []

  private var found: [(position: Int, finding: Finding)] = []

  init(_ model: PondModel) {
    self.model = model
    circuit = Circuit(model.pond)
    wording = Wording(graph: model.pond.graph, circuit: circuit)
    space = ScenarioSearch(model, circuit)
    failureReaders = FailureReaders(circuit.network, optional: space.formula.optional)
  }

  mutating func run(also asked: Set<Finding.Kind>) {
    findDeadPebbles()
    findAlwaysTrueConditions()
    findIdleParts()
    findCycles()
    if asked.contains(.unhandledFailure) { findUnhandledFailures() }
    findLonelySuccesses()
    findUnusedPebbles()
    findUnreachableGoal()
    reportUndecided()
  }

  var pebbles: Range<Int> { 0..<circuit.network.pebbleCount }

  /// The findings, in order of decreasing severity. Findings of equal severity are in the
  /// definition order of their first pebbles.
  var sortedFindings: [Finding] {
    found.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.finding.severity != second.finding.severity {
        return first.finding.severity > second.finding.severity
      }
      return (first.position, left.offset) < (second.position, right.offset)
    }.map(\.element.finding)
  }

  mutating func report(
    _ kind: Finding.Kind, _ severity: Finding.Severity, _ pebbles: [Int], followers: [Int] = [],
    _ sentence: String, advice: String, example: Finding.Example? = nil
  ) {
    let graph = model.pond.graph
    let finding = Finding(
      kind, severity, pebbles: pebbles.map { graph.names[$0] },
      followers: followers.map { graph.names[$0] }, sentence, advice: advice, example: example)
    found.append((pebbles.min() ?? .max, finding))
  }

  mutating func example(of facts: [Fact], _ witness: ScenarioSearch.Witness) -> Finding.Example? {
    let names = model.pond.graph.names
    return space.example(of: facts, witness).map { scenario in
      Finding.Example(
        failing: scenario.failing.map { names[$0] }, disabled: scenario.disabled.map { names[$0] })
    }
  }

  /// Returns a table of the pebbles that are sure to have settled before a given part of a pebble's
  /// condition is decided; `nil` if the pebble depends on too many rows.
  mutating func settledBefore(_ pebble: Int) -> SettledBefore? {
    let optional = space.formula.optional
    if knownSettledBefore == nil {
      knownSettledBefore = .some(SettledBefore(circuit, circuit.order, optional: optional))
    }
    if case .some(.some(let known)) = knownSettledBefore { return known }
    return SettledBefore(circuit, circuit.cone(of: [pebble]), optional: optional)
  }

  private mutating func reportUndecided() {
    let unknown = circuit.cycles.indices.filter { !space.isKnown(cycle: $0) }
    if !unknown.isEmpty {
      let members = unknown.flatMap { circuit.cycles[$0] }.sorted()
      report(
        .notDecided, .note, members,
        "how \(members.count) pebbles in cycles end was not decided, so findings about them and "
          + "their dependents may be missing: \(wording.list(members))",
        advice: "break the cycles")
    }
    guard space.undecidedCount > 0 else { return }
    report(
      .notDecided, .note, [],
      "\(space.undecidedCount) \(space.undecidedCount == 1 ? "question" : "questions") about this "
        + "pond took too much work to decide, so findings "
        + "may be missing",
      advice: "look at the other findings first; smaller conditions are easier to decide")
  }
}

extension Finding.Example? {
  /// The example as a clause: `if ping and token fail`, or `in some scenario` if there is no
  /// example.
  var clause: String { self?.clause ?? "in some scenario" }
}

extension Finding.Example {
  /// The example as a clause: `if ping and token fail`, or `if every body succeeds`.
  var clause: String {
    let names = Self.list(failing)
    let failures =
      failing.isEmpty
      ? "if every body succeeds" : "if \(names) \(failing.count == 1 ? "fails" : "fail")"
    guard !disabled.isEmpty else { return failures }
    return "\(failures) and \(Self.list(disabled)) \(disabled.count == 1 ? "is" : "are") disabled"
  }

  private static func list(_ names: [String]) -> String {
    names.listed(Wording.short).joined(" and ")
  }
}
