public import Pebbles

/// The outcome of every pebble at the end of a run.
///
/// ```swift
/// let ending = try scenarios.ending(failing: [ping])
/// print(ending)                     // a table
/// ending.outcome(of: showOffline)   // .succeeded
/// ```
public struct Ending: Sendable {
  /// The logic of the pond.
  public let model: PondModel

  /// The outcome of each pebble, in definition order.
  public let outcomes: [ScenarioOutcome]

  /// The rows of the cases that hold. Only the cases that ``cases(of:)`` returns are included.
  package let heldCases: Set<Int>

  /// Whether the goal of the pond is reached; `nil` if the pond has no goal.
  public let isGoalReached: Bool?

  /// Facts that this ending does not take into account.
  public internal(set) var limitations: [ScenarioLimitation] = []

  /// Returns the outcome of the pebble; `nil` if the pebble is not part of the model.
  public func outcome(of pebble: some PebbleIdentifying) -> ScenarioOutcome? {
    model.position(of: pebble).map { outcomes[$0] }
  }

  /// Returns the cases that hold for a pebble, in definition order.
  ///
  /// Only cases that are mentioned by conditions, or by the question that led to this ending, are
  /// included. The only exception is the last possible value of an output, which is included if all
  /// other values are ruled out. For example, if a coin does not show tails, the case of heads
  /// holds even if conditions mention only tails. The result is empty for a pebble that is not part
  /// of the model.
  ///
  /// - Complexity: O(cases of the pebble).
  public func cases(of pebble: some PebbleIdentifying) -> [PebbleCase] {
    model.position(of: pebble).map(cases(at:)) ?? []
  }

  package func cases(at position: Int) -> [PebbleCase] {
    let cases = model.pond.network.cases
    return cases.rows(of: position).filter(heldCases.contains).map { cases[$0].name }
  }

  /// The names of the pebbles whose bodies failed, in definition order.
  public var failed: [String] { names { $0 == .failed } }

  /// The kind of each pebble's skip, in definition order; `nil` for a pebble that runs.
  ///
  /// - Complexity: O(pebbles + atoms).
  package var skipKinds: [SkipKind?] {
    let statuses = outcomes.map(\.status)
    let blocked = BlockedPebbles(
      model.pond.network, statuses, caseHolds: heldCases.contains)
    return statuses.indices.map { blocked.skipKind(of: $0, statuses[$0]) }
  }

  /// The group in which each pebble is counted and listed, in definition order.
  package var groups: [OutcomeGroup] {
    zip(outcomes, skipKinds).map { outcome, kind in
      OutcomeGroup(outcome.status.event ?? .skipped, isKept: false, kind)
    }
  }

  /// The names of the pebbles that ran, successfully or not, in definition order.
  public var ran: [String] { names(where: \.isCompleted) }

  /// The names of the pebbles that were disabled, in definition order.
  public var disabled: [String] { names { $0 == .disabled } }

  /// The names of the pebbles whose failures no pebble handles, in definition order; see
  /// `Report.unhandledFailures`.
  ///
  /// - Complexity: O(pebbles + *a*), where *a* is the number of atoms that depend on failed
  ///   pebbles, or on pebbles skipped because of a failure.
  public var unhandledFailures: [String] {
    var handlers = FailureHandlers(model.pond.network)
    let failed = outcomes.indices.filter { position in
      outcomes[position] == .failed
        && handlers.handling(
          ofFailure: position, status: { outcomes[$0].status }, caseHolds: heldCases.contains)
          != .handled
    }
    return failed.map { model.pond.graph.names[$0] }
  }

  /// Whether the policy `.cancelAll` cancels the run after a failure that no pebble handles.
  ///
  /// If no pebble is ``ScenarioOutcome/cancelled`` in this ending, the ending assumes that the
  /// failure comes last. In a real run, the failure may come earlier, and pebbles that have not
  /// started by then are skipped. If pebbles can stall, even the latest possible failure may come
  /// before a stall. Some pebbles may then be cancelled.
  public var isCancelled: Bool {
    model.failurePolicy == .cancelAll && outcomes.contains(.failed) && !unhandledFailures.isEmpty
  }

  private func names(where isIncluded: (ScenarioOutcome) -> Bool) -> [String] {
    outcomes.indices.filter { isIncluded(outcomes[$0]) }.map { model.pond.graph.names[$0] }
  }
}

extension Ending {
  init(of model: PondModel, _ state: ReadinessState) {
    self.model = model
    outcomes = (0..<model.count).map { ScenarioOutcome(state.status(of: $0)) }
    heldCases = state.heldCases
    isGoalReached = state.goal.flatMap(state.value(ofGate:))
  }

  init(of replay: Replay) {
    self.init(of: replay.run.model, replay.state)
    limitations = replay.limitations
  }
}

extension Ending: Hashable {
  /// Returns whether two endings belong to the same pond and have the same outcomes and cases.
  public static func == (left: Ending, right: Ending) -> Bool {
    left.outcomes == right.outcomes && left.heldCases == right.heldCases
      && left.model.pond === right.model.pond
  }

  /// Hashes the outcomes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(outcomes)
  }
}

extension Ending: CustomStringConvertible {
  /// A table with a line for each pebble. Pebbles whose bodies fail come first, followed by blocked
  /// pebbles, and then all others.
  ///
  /// ```
  /// ping         fails
  /// loadToken    succeeds
  /// showSignUp   is not needed
  /// ```
  ///
  /// The table has at most two hundred lines for pebbles. The cause of a cancellation and the
  /// limitations follow the table.
  public var description: String {
    ([table] + limitations.map { "(\($0))" }).joined(separator: "\n")
  }

  var table: String {
    let groups = groups
    let shown = OutcomeGroup.allCases.flatMap { group in
      groups.indices.filter { groups[$0] == group }
    }.prefix(Self.mostLines).map { position in
      (model.pond.graph.names[position].shortName(atMost: Self.widestName), position)
    }
    let width = shown.map(\.0.count).max() ?? 0
    let clauses = clauses
    var lines = shown.map { "\($0.padded(to: width))  \(clauses[$1])" }
    let rest = outcomes.count - shown.count
    if rest > 0 { lines.append("… and \(rest) more") }
    if let cancellation { lines.append("(\(cancellation))") }
    return lines.joined(separator: "\n")
  }

  /// The outcomes and cases of the pebbles, in definition order, each as a clause:
  /// `fails as locked`, `is blocked`.
  package var clauses: [String] {
    zip(outcomes, skipKinds).enumerated().map { position, end in
      let kind = end.0 == .skipped ? end.1.map { "is \($0)" } : nil
      return [kind ?? end.0.description, caseCaption(at: position)].compactMap(\.self)
        .joined(separator: " ")
    }
  }

  /// Returns the cases that hold for a pebble's outcome, as text: *as locked*. The result is
  /// *otherwise* if conditions mention cases of this outcome, but none of them holds; `nil` if
  /// conditions mention no such cases.
  package func caseCaption(at position: Int) -> String? {
    let held = cases(at: position)
    if !held.isEmpty { return held.map(\.caption).joined(separator: " and ") }
    let (network, outcome) = (model.pond.network, outcomes[position])
    let isTold = network.cases.rows(of: position).contains { row in
      network.isMentioned(row)
        && network.cases[row].name.outcomes == (outcome == .failed ? .failed : .succeeded)
    }
    return outcome.isCompleted && isTold ? "otherwise" : nil
  }

  /// The cause of the cancellation, as a sentence; `nil` if the run is not cancelled.
  private var cancellation: String? {
    guard model.failurePolicy == .cancelAll, outcomes.contains(.failed) else { return nil }
    let failures = unhandledFailures
    guard !failures.isEmpty else { return nil }
    let failed = failures.listed(\.shortName).joined(separator: ", ")
    let consequence = "no pebble handles the failure of \(failed), which cancels the run"
    return outcomes.contains(.cancelled)
      ? consequence : consequence + ": pebbles not started by then are skipped"
  }

  private static let mostLines = 200
  private static let widestName = 40
}
