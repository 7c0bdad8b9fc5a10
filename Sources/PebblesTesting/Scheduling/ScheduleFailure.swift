import Pebbles

/// A failed schedule, with everything needed to reproduce the failure.
public struct ScheduleFailure: Error, Sendable, CustomStringConvertible {
  /// The reason why the schedule failed.
  public let problem: Problem

  /// The choices that were made, in the format used by ``Schedules/replay(_:)``.
  public let schedule: String

  /// The choices of the earlier schedule in which pebbles ended differently, in the format used by
  /// ``Schedules/replay(_:)``; `nil` if the failure is not a difference between two schedules.
  public let reference: String?

  /// The zero-based number of the schedule in the exploration.
  public let number: Int

  /// A seed whose first schedule is this one; `nil` if the schedule was not generated with
  /// ``Schedules/random(count:seed:)``.
  public let seed: UInt64?

  /// Whether the failure depends only on the schedule. If so, a replay reproduces it exactly; see
  /// ``Exploration/isDeterministic``.
  public let isDeterministic: Bool

  /// The report of the run; `nil` if no pond was explored, or if the run did not end.
  public let report: Report?

  let schedules: Schedules

  /// The schedules that reproduce the failure: the ``reference``, if any, and then the failed
  /// schedule.
  public var replay: Schedules {
    .replay([reference, schedule].compactMap(\.self))
  }

  /// The problem, the schedule, and a way to reproduce the failure, on several lines.
  public var description: String {
    var lines = ["\(problem), under schedule \(number) of \(schedules)"]
    lines.append("  again with: schedules: \(replay)")
    // A difference needs both schedules, and the seed gives only one.
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
