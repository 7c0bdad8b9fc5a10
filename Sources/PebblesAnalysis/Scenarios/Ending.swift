import Pebbles

/// How a whole run ends: the outcome of every pebble.
///
/// ```swift
/// let ending = try scenarios.ending(failing: [ping])
/// print(ending)                     // a table
/// ending.outcome(of: showOffline)   // .succeeded
/// ```
public struct Ending: Sendable {
  /// The logic of the pond.
  public let model: PondModel

  /// How each pebble ends, in definition order.
  public let outcomes: [ScenarioOutcome]

  /// Whether each predicate of the pond was taken to hold, or did, in the order in which conditions
  /// mention them first.
  public let predicates: [Bool]

  /// What this ending does not take into account.
  public let limitations: [ScenarioLimitation]

  /// How the pebble ends; `nil` if it is not part of the model.
  public func outcome(of pebble: some PebbleIdentifying) -> ScenarioOutcome? {
    model.position(of: pebble).map { outcomes[$0] }
  }

  /// The names of the pebbles whose bodies failed, in definition order.
  public var failed: [String] { names { $0 == .failed } }

  /// The names of the pebbles that ran, well or badly, in definition order.
  public var ran: [String] { names(where: \.isCompleted) }

  /// The names of the pebbles that were disabled, in definition order.
  public var disabled: [String] { names { $0 == .disabled } }

  private func names(where isIncluded: (ScenarioOutcome) -> Bool) -> [String] {
    outcomes.indices.filter { isIncluded(outcomes[$0]) }.map { model.pond.graph.names[$0] }
  }
}

extension Ending {
  init(of assumed: AssumedRun) {
    let (run, state) = (assumed.replay.run, assumed.replay.state)
    model = run.model
    outcomes = run.pebbles.indices.map { ScenarioOutcome(state.status(of: $0)) }
    predicates = (0..<state.network.predicateCount).map(state.isHeld)
    limitations = assumed.limitations
  }
}

/// How a pebble ends in a scenario. There are more ways where there are more reasons to be skipped,
/// see `SkipReason`.
public struct ScenarioOutcome: Sendable, Hashable {
  package enum Kind: Sendable {
    case succeeded
    case failed
    case skipped
    case stalled
    case predicateNeverHeld
    case disabled
  }

  package let kind: Kind

  /// The body returns.
  public static let succeeded = ScenarioOutcome(kind: .succeeded)

  /// The body throws.
  public static let failed = ScenarioOutcome(kind: .failed)

  /// The condition becomes false.
  public static let skipped = ScenarioOutcome(kind: .skipped)

  /// Nothing runs, nothing is ready, and the pebble waits, perhaps through others, for itself.
  public static let stalled = ScenarioOutcome(kind: .stalled)

  /// Only predicates could still make the condition true, and they do not.
  public static let predicateNeverHeld = ScenarioOutcome(kind: .predicateNeverHeld)

  /// The pebble takes no part in the run.
  public static let disabled = ScenarioOutcome(kind: .disabled)

  /// Whether the body is called.
  public var isCompleted: Bool { self == .succeeded || self == .failed }

  /// Whether the body is never called, for whatever reason.
  public var isSkipped: Bool { !isCompleted }
}

extension ScenarioOutcome {
  /// How a pebble has ended in a run that was played to its end.
  init(_ status: PebbleStatus) {
    switch status {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .skippedByCondition: self = .skipped
    case .skippedByStall: self = .stalled
    case .skippedByPredicate: self = .predicateNeverHeld
    case .skippedAsDisabled: self = .disabled
    case .waiting, .running, .skippedByCancellation:
      preconditionFailure("a pebble was left over, or cancelled, in a rehearsal: \(status)")
    }
  }
}

extension ScenarioOutcome: CustomStringConvertible {
  /// The outcome as a clause.
  public var description: String {
    switch kind {
    case .succeeded: "succeeds"
    case .failed: "fails"
    case .skipped: "is skipped"
    case .stalled: "is skipped: it waits for itself"
    case .predicateNeverHeld: "is skipped: no predicate held"
    case .disabled: "is disabled"
    }
  }
}

extension Ending: Hashable {
  /// Whether both are endings of one pond in which the same happens.
  public static func == (left: Ending, right: Ending) -> Bool {
    left.outcomes == right.outcomes && left.predicates == right.predicates
      && left.model.pond === right.model.pond
  }

  /// Hashes what happens.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(outcomes)
    hasher.combine(predicates)
  }
}

extension Ending: CustomStringConvertible {
  /// A table: a line per pebble, those first whose bodies fail or that are disabled, as they are
  /// what the rest follows from.
  ///
  /// ```
  /// ping         fails
  /// loadToken    succeeds
  /// showSignUp   is skipped
  /// ```
  ///
  /// Shows the first two hundred pebbles; then what is not taken into account.
  public var description: String {
    ([table] + limitations.map { "(\($0))" }).joined(separator: "\n")
  }

  var table: String {
    let isCause = outcomes.map { $0 == .failed || $0 == .disabled }
    let order = outcomes.indices.filter { isCause[$0] } + outcomes.indices.filter { !isCause[$0] }
    let shown = order.prefix(Self.mostLines).map { position in
      (model.pond.graph.names[position].singleLine.truncated(to: Self.widestName), position)
    }
    let width = shown.map(\.0.count).max() ?? 0
    var lines = shown.map { "\($0.padded(to: width))  \(outcomes[$1])" }
    if predicates.contains(true) || predicates.contains(false) {
      let count = predicates.count { $0 }
      lines.append("(\(count) of \(predicates.count) predicates hold)")
    }
    let rest = outcomes.count - shown.count
    if rest > 0 { lines.append("… and \(rest) more") }
    return lines.joined(separator: "\n")
  }

  private static let mostLines = 200
  private static let widestName = 40
}
