import Pebbles

extension ScheduleFailure {
  /// A problem that occurred under a schedule: its ``kind``, its details, and a description.
  public struct Problem: Sendable {
    enum Detail: Sendable {
      case threw(any Error)
      case invariantBroken(RunStatus?)
      case lawBroken(String)
      case outcomesDiffer(String)
      case stuck(running: [String])
      case tooManySteps(Int)
      case replayDoesNotFit
    }

    let detail: Detail
  }
}

extension ScheduleFailure.Problem {
  /// A kind of problem. Later versions may add kinds.
  @nonexhaustive public enum Kind: String, Sendable {
    /// An error that the operation threw; see ``ScheduleFailure/Problem/error``.
    case threw

    /// An invariant that was false after a step. ``ScheduleFailure/Problem/status`` is the status
    /// of the run at that time, if a pond was explored.
    case invariantBroken

    /// A law that was broken at the end of a run, or by the settled pebbles of an abandoned run.
    case lawBroken

    /// A difference from the ``ScheduleFailure/reference`` schedule: bodies ended with another
    /// outcome or with other cases, or different pebbles were skipped.
    case outcomesDiffer

    /// A schedule that would never have ended: no task could run, no task slept on the clock, and
    /// other threads made no task runnable while the exploration waited.
    /// ``ScheduleFailure/Problem/running`` lists the pebbles that were running.
    case stuck

    /// A schedule that did not end within the step limit.
    case tooManySteps

    /// A schedule that could not be replayed. One of its choices was impossible, or did not have to
    /// be made.
    case replayDoesNotFit
  }

  /// The kind of problem.
  public var kind: Kind {
    switch detail {
    case .threw: .threw
    case .invariantBroken: .invariantBroken
    case .lawBroken: .lawBroken
    case .outcomesDiffer: .outcomesDiffer
    case .stuck: .stuck
    case .tooManySteps: .tooManySteps
    case .replayDoesNotFit: .replayDoesNotFit
    }
  }

  /// The error that the operation threw; `nil` for other kinds of problems.
  public var error: (any Error)? {
    if case .threw(let error) = detail { error } else { nil }
  }

  /// The status of the run when the invariant was false; `nil` for other kinds of problems, or if
  /// no pond was explored.
  public var status: RunStatus? {
    if case .invariantBroken(let status) = detail { status } else { nil }
  }

  /// The names of the pebbles that were running when no task could run; empty for other kinds of
  /// problems.
  public var running: [String] {
    if case .stuck(let running) = detail { running } else { [] }
  }
}

extension ScheduleFailure.Problem: CustomStringConvertible {
  /// The problem as a sentence.
  public var description: String {
    switch detail {
    case .threw(let error): "\(error)"
    case .invariantBroken(nil): "the invariant does not hold"
    case .invariantBroken(let status?):
      "the invariant does not hold with \(Self.list(status.running.map(\.name))) running and "
        + "\(status.settled) of \(status.total) pebbles settled"
    case .lawBroken(let sentence), .outcomesDiffer(let sentence): sentence
    case .stuck(let running):
      "it would never end: nothing can go on and no task sleeps"
        + (running.isEmpty ? "" : ", with \(Self.list(running)) running")
    case .tooManySteps(let count): "it has not ended after \(count) steps"
    case .replayDoesNotFit:
      "the schedule does not fit: it makes a choice that does not exist here, so it was made for "
        + "something else"
    }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(10).map(\.swiftName)
    let rest = names.count - shown.count
    return names.isEmpty
      ? "nothing" : (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(" and ")
  }
}
