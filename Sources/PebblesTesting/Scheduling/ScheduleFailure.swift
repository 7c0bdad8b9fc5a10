import Pebbles

/// A schedule under which something went wrong, with all it takes to see it go wrong again.
public struct ScheduleFailure: Error, Sendable, CustomStringConvertible {
  /// What went wrong, and with what.
  public let problem: Problem

  /// The choices made, for ``Schedules/replay(_:)``.
  public let schedule: String

  /// The choices of an earlier schedule, if it takes both to see what went wrong: the one in which
  /// outcomes were different.
  public let reference: String?

  /// Which schedule it was, from 0.
  public let number: Int

  /// The seed of which it is the first schedule, if it is drawn with
  /// ``Schedules/random(count:seed:)``.
  public let seed: UInt64?

  /// Whether all that was seen to happen was up to the schedule, so that a replay is exact; see
  /// ``Exploration/isDeterministic``.
  public let isDeterministic: Bool

  /// What happened in the run, if there was one and it came to an end.
  public let report: Report?

  let schedules: Schedules

  /// What has it go wrong again: the schedule, after the ``reference`` if there is one.
  public var replay: Schedules {
    .replay([reference, schedule].compactMap(\.self))
  }

  /// What went wrong, under which schedule, and how to have it again; some lines.
  public var description: String {
    var lines = ["\(problem), under schedule \(number) of \(schedules)"]
    lines.append("  again with: schedules: \(replay)")
    // Alone it would have nothing to differ from.
    if let seed, reference == nil {
      lines.append("  or with: schedules: .random(count: 1, seed: \(seed))")
    }
    if !isDeterministic {
      lines.append("  this may not repeat: something ran outside the schedule's thread")
    }
    if let report {
      lines += "\(report)".split(separator: "\n").map { "  \($0)" }
    }
    return lines.joined(separator: "\n")
  }
}
