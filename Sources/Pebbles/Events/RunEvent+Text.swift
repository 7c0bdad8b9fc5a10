extension RunEvent: CustomStringConvertible {
  /// A description of the event on one line, such as `12.3 ms: ping is ready`, even if its names
  /// and errors contain line breaks.
  ///
  /// Long names and errors are truncated. Long lists end with the number of omitted elements.
  public var description: String { "\(time.brief): \(sentence)" }
}

extension RunEvent {
  private static let longestError = 500

  /// A sentence that describes the event on one line, even if its names and errors contain line
  /// breaks.
  public var sentence: String {
    switch happening {
    case .ready(let pebble):
      "\(Self.name(pebble)) is ready"
    case .attemptStarted(let pebble, let attempt):
      "\(Self.name(pebble)) started attempt \(attempt)"
    case .attemptFailed(let pebble, let attempt, let error):
      "\(Self.name(pebble)) failed attempt \(attempt): \(Self.text(error))"
    case .settled(let pebble, let outcome, let cases, let cause):
      "\(Self.name(pebble)) \(Self.ending(pebble, outcome, cases, cause))"
    case .serviceEnded(let pebble, let error):
      "\(Self.name(pebble)) ended after it was up\(Self.clause(error))"
    case .stalled(let pebbles):
      "nothing runs and nothing is ready: \(Self.list(pebbles)) cannot start"
    case .runEnded(let isCancelled, _):
      isCancelled ? "the run ended, cancelled" : "the run ended"
    case .serviceRestarted(let pebble, let attempt, let error):
      "\(Self.name(pebble)) ended after it was up and is started again, attempt \(attempt)"
        + Self.clause(error)
    case .shutdownBegan(let reason):
      "the shutdown began\(reason.map { ": \(Self.text($0))" } ?? "")"
    case .stopRequested(let pebble):
      "\(Self.name(pebble)) is asked to stop"
    case .teardownStarted(let pebble):
      "\(Self.name(pebble)) is torn down"
    case .teardownEnded(let pebble, let error):
      error == nil
        ? "\(Self.name(pebble)) has been torn down"
        : "\(Self.name(pebble)) could not be torn down\(Self.clause(error))"
    case .shutdownEnded:
      "the shutdown ended"
    case .dropped(let count):
      count == 1 ? "1 event was dropped here" : "\(count) events were dropped here"
    }
  }

  private static func ending(
    _ pebble: String, _ outcome: Outcome, _ cases: [PebbleCase], _ cause: String?
  ) -> String {
    let start = cause.map { ", having started when \(name($0)) settled" } ?? ""
    return switch outcome {
    case .succeeded: "\(cases.past(or: .succeeded))\(start)"
    case .failed(let error): "\(cases.past(or: .failed))\(start): \(text(error))"
    case .skipped(let reason): "was skipped: \(sentence(pebble, reason, cause))"
    }
  }

  private static func sentence(
    _ pebble: String, _ reason: SkipReason, _ cause: String?
  ) -> String {
    switch reason {
    case .conditionFalse(let decidedBy):
      (decidedBy ?? cause).map { "its condition became false when \(name($0)) settled" }
        ?? "its condition is false from the start"
    case .stalled(let awaited): SkipReason.clause(stalled: pebble, waitingOn: awaited)
    case .cancelled: "the run was cancelled before it could start"
    case .disabled: "it was disabled for this run"
    case .notAskedFor: "it was not asked for in this run"
    case .resourceHeld(let holder): SkipReason.clause(heldBy: name(holder))
    case .notInRun: "the run has no such pebble"
    }
  }

  private static func name(_ pebble: String) -> String {
    pebble.shortName
  }

  private static func text(_ cause: Any) -> String {
    "\(cause)".truncated(to: longestError).singleLine
  }

  private static func clause(_ error: (any Error)?) -> String {
    error.map { ": \(text($0))" } ?? ""
  }

  private static func list(_ pebbles: [String]) -> String {
    pebbles.listed(name).joined(separator: ", ")
  }
}
