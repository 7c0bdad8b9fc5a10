/// Something that happened in a run, as `run.events` tells it.
public struct RunEvent: Sendable {
  /// When it happened, since the start of the run.
  ///
  /// Events that happen at the same time on different threads may be told in an order other than
  /// that of their times. Those of one pebble are in order, and that a body has ended is told
  /// before anything that follows from it.
  public let time: Duration

  /// What happened.
  public let kind: Kind

  /// What can happen in a run. Pebbles are given by their names.
  public enum Kind: Sendable {
    /// The pebble's condition became true: it will start as soon as it can.
    case ready(String)

    /// The pebble's body was called, the first time with `attempt` 1.
    case attemptStarted(String, attempt: Int)

    /// The pebble's body failed with this error. Another attempt may follow; if not, the pebble
    /// settles.
    case attemptFailed(String, attempt: Int, any Error)

    /// The pebble has its outcome. `cause` is the pebble whose settling let this one start, or
    /// decided that it would not; `nil` if there was no such pebble.
    case settled(String, Outcome, cause: String?)

    /// A service that had been up is no longer, because it failed with this error or, if `nil`,
    /// because it returned.
    case serviceEnded(String, (any Error)?)

    /// Nothing ran, nothing was ready, and these pebbles were waiting for each other.
    case stalled([String])

    /// The run is over: the last event, but for services that go on and may end later.
    case runEnded(isCancelled: Bool)

    /// Not something that happened but something not told: so many events stood here and were
    /// dropped, because this observer had not taken them in time. The event's time is that of the
    /// last one dropped.
    case dropped(Int)
  }
}

extension RunEvent: CustomStringConvertible {
  /// The event on one line, whatever its names and errors contain: `12.3 ms: ping is ready`.
  ///
  /// Long names and errors are cut, long lists say how many more there are.
  public var description: String { "\(time.brief): \(kind)" }
}

extension RunEvent.Kind: CustomStringConvertible {
  private static let mostNamed = 4
  private static let longestName = 60
  private static let longestError = 500

  /// What happened as a sentence on one line, whatever its names and errors contain.
  public var description: String {
    switch self {
    case .ready(let pebble):
      "\(Self.name(pebble)) is ready"
    case .attemptStarted(let pebble, let attempt):
      "\(Self.name(pebble)) started attempt \(attempt)"
    case .attemptFailed(let pebble, let attempt, let error):
      "\(Self.name(pebble)) failed attempt \(attempt): \(Self.text(error))"
    case .settled(let pebble, let outcome, let cause):
      "\(Self.name(pebble)) \(Self.ending(outcome, cause))"
    case .serviceEnded(let pebble, let error):
      "\(Self.name(pebble)) ended after it was up\(error.map { ": \(Self.text($0))" } ?? "")"
    case .stalled(let pebbles):
      "nothing runs and nothing is ready: \(Self.list(pebbles)) cannot start"
    case .runEnded(let isCancelled):
      isCancelled ? "the run ended, cancelled" : "the run ended"
    case .dropped(let count):
      count == 1 ? "1 event was dropped here" : "\(count) events were dropped here"
    }
  }

  private static func ending(_ outcome: Outcome, _ cause: String?) -> String {
    let start = cause.map { ", having started when \(name($0)) settled" } ?? ""
    return switch outcome {
    case .succeeded: "succeeded\(start)"
    case .failed(let error): "failed\(start): \(text(error))"
    case .skipped(let reason): "was skipped: \(sentence(reason, cause))"
    }
  }

  private static func sentence(_ reason: SkipReason, _ cause: String?) -> String {
    switch reason.kind {
    case .conditionFalse(let decidedBy):
      (decidedBy ?? cause).map { "its condition became false when \(name($0)) settled" }
        ?? "its condition is false from the start"
    case .stalled(let waits): "it waits for \(list(waits)), and that waits for it in turn"
    case .predicateNeverHeld: "only a predicate could still have let it start, and none held"
    case .cancelled: "the run was cancelled before it could start"
    case .disabled: "it was disabled for this run"
    case .notInRun: "the run has no such pebble"
    }
  }

  private static func name(_ pebble: String) -> String {
    pebble.truncated(to: longestName).swiftName
  }

  private static func text(_ error: any Error) -> String {
    "\(error)".truncated(to: longestError).singleLine
  }

  private static func list(_ pebbles: [String]) -> String {
    let named = pebbles.prefix(mostNamed).map(name)
    let rest = pebbles.count - named.count
    return (named + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
  }
}
