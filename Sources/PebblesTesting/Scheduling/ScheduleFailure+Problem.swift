import Pebbles

extension ScheduleFailure {
  /// What went wrong under a schedule: what ``kind`` of thing, with what, and as a sentence.
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
  /// What can go wrong. More may come with later versions.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// A word for it.
    public let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// The operation threw the ``ScheduleFailure/Problem/error``.
    public static let threw = Kind("threw")

    /// The invariant was false after a step. With the ``ScheduleFailure/Problem/status`` of the run
    /// then, if it is one of a pond.
    public static let invariantBroken = Kind("invariantBroken")

    /// A law is broken, by the end of the run, or by what had settled of one that was given up.
    public static let lawBroken = Kind("lawBroken")

    /// Bodies ended, or pebbles were skipped, otherwise than in another schedule, the
    /// ``ScheduleFailure/reference``.
    public static let outcomesDiffer = Kind("outcomesDiffer")

    /// It would never have ended: nothing could go on, no task slept on the clock, and nothing came
    /// from elsewhere as long as there was patience. With the pebbles that were
    /// ``ScheduleFailure/Problem/running``.
    public static let stuck = Kind("stuck")

    /// It had not ended after as many steps as it was allowed.
    public static let tooManySteps = Kind("tooManySteps")

    /// The schedule to replay does not fit: it has other choices than there were.
    public static let replayDoesNotFit = Kind("replayDoesNotFit")

    /// The word for it.
    public var description: String { name }
  }

  /// What kind of thing went wrong.
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

  /// What the operation threw; `nil` if something else went wrong.
  public var error: (any Error)? {
    if case .threw(let error) = detail { error } else { nil }
  }

  /// The status of the run when the invariant of a pond was false; `nil` if something else went
  /// wrong.
  public var status: RunStatus? {
    if case .invariantBroken(let status) = detail { status } else { nil }
  }

  /// The names of the pebbles that were running when nothing could go on; none if something else
  /// went wrong.
  public var running: [String] {
    if case .stuck(let running) = detail { running } else { [] }
  }

  /// How many steps there had been when that were too many; `nil` if something else went wrong.
  public var steps: Int? {
    if case .tooManySteps(let count) = detail { count } else { nil }
  }
}

extension ScheduleFailure.Problem: CustomStringConvertible {
  /// What went wrong, as a sentence.
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
    guard let last = shown.last else { return "nothing" }
    if names.count > shown.count {
      return "\(shown.joined(separator: ", ")) and \(names.count - shown.count) more"
    }
    return shown.count == 1 ? last : "\(shown.dropLast().joined(separator: ", ")) and \(last)"
  }
}
