import Pebbles

/// A condition of the soak. It can be converted to a condition of a pond, and can also be evaluated
/// independently of the pond.
indirect enum SoakFormula: Sendable {
  case always
  case atom(Int, Verb)
  case all([SoakFormula])
  case any([SoakFormula])
  case not(SoakFormula)

  enum Verb: Sendable {
    case succeeded, failed, skipped, completed, settled
  }

  func condition(over handles: [SoakHandle]) -> Condition {
    switch self {
    case .always: .always
    case .atom(let pebble, let verb): handles[pebble].condition(verb)
    case .all(let operands): .all(operands.map { $0.condition(over: handles) })
    case .any(let operands): .any(operands.map { $0.condition(over: handles) })
    case .not(let operand): !operand.condition(over: handles)
    }
  }

  /// Returns the value of the formula after all pebbles have settled.
  func value(_ outcomes: [Outcome]) -> Bool {
    switch self {
    case .always: true
    case .atom(let pebble, .succeeded): outcomes[pebble].isSucceeded
    case .atom(let pebble, .failed): outcomes[pebble].isFailed
    case .atom(let pebble, .skipped): outcomes[pebble].isSkipped
    case .atom(let pebble, .completed): outcomes[pebble].isCompleted
    case .atom(_, .settled): true
    case .all(let operands): operands.allSatisfy { $0.value(outcomes) }
    case .any(let operands): operands.contains { $0.value(outcomes) }
    case .not(let operand): !operand.value(outcomes)
    }
  }

  /// Pebbles that must have succeeded if the formula is true. Includes only pebbles for which the
  /// structure of the formula makes this obvious.
  var plainNeeds: [Int] {
    switch self {
    case .atom(let pebble, .succeeded): [pebble]
    case .all(let operands): operands.flatMap(\.plainNeeds)
    case .always, .atom, .any, .not: []
    }
  }
}

/// A handle of a pebble, with or without an output.
enum SoakHandle: Sendable {
  case ticket(Pebble<SoakTicket>)
  case plain(Pebble<Void>)

  /// The pebble; `nil` if it has no output.
  var ticket: Pebble<SoakTicket>? {
    switch self {
    case .ticket(let pebble): pebble
    case .plain: nil
    }
  }

  func condition(_ verb: SoakFormula.Verb) -> Condition {
    switch self {
    case .ticket(let pebble): Self.condition(pebble, verb)
    case .plain(let pebble): Self.condition(pebble, verb)
    }
  }

  /// Returns the copy of the pebble in a pond to which the pebble's own pond was added as the given
  /// cluster.
  func copy(in cluster: Cluster) -> SoakHandle {
    switch self {
    case .ticket(let pebble): .ticket(cluster[pebble])
    case .plain(let pebble): .plain(cluster[pebble])
    }
  }

  func setCondition(_ condition: Condition) {
    switch self {
    case .ticket(let pebble): pebble.ready = condition
    case .plain(let pebble): pebble.ready = condition
    }
  }

  private static func condition<Output>(
    _ pebble: Pebble<Output>, _ verb: SoakFormula.Verb
  ) -> Condition {
    switch verb {
    case .succeeded: pebble.succeeded
    case .failed: pebble.failed
    case .skipped: pebble.skipped
    case .completed: pebble.completed
    case .settled: pebble.settled
    }
  }
}

/// The output of a pebble of the soak. It identifies the run, the pebble and the attempt that
/// produced it.
struct SoakTicket: Sendable, Hashable {
  let run: RunIdentifier
  let pebble: Int
  let attempt: Int
}
