import Pebbles

extension CriticalPath: CustomStringConvertible {
  private static let mostLines = 200

  /// A line with the duration of the chain and the makespan, followed by a line for each of the
  /// first two hundred steps.
  public var description: String {
    let names = steps.prefix(Self.mostLines).map(\.name.shortName)
    let durations = steps.prefix(Self.mostLines).map(\.duration.brief)
    let column = max(9, 1 + (durations.map(\.count).max() ?? 0))
    let width = (names.map(\.count).max() ?? 0) + column
    var lines = ["longest chain: \(duration.brief) of \(makespan.brief)"]
    for (place, (step, name)) in zip(steps, names).enumerated() {
      let previous = place > 0 ? names[place - 1] : ""
      let duration = durations[place].leftPadded(to: width - name.count)
      lines.append("  " + name + duration + step.remark(after: previous))
    }
    if steps.count > names.count { lines.append("  … and \(steps.count - names.count) more") }
    return lines.joined(separator: "\n")
  }
}

extension CriticalStep {
  fileprivate func remark(after previous: String) -> String {
    let skipped = skipName.map { "  \($0)" } ?? ""
    return skipped + wait(for: previous)
  }

  private func wait(for previous: String) -> String {
    let after = delay > .zero ? "  after \(delay.brief)" : ""
    switch waitedFor {
    case .start, .dependency: return after
    case .limit: return "\(after.isEmpty ? " " : after + ",") for a limit, until \(previous) ended"
    case .mainActor:
      return "\(after.isEmpty ? " " : after + ",") for the main actor, until \(previous) ended"
    case .stall:
      return "\(after.isEmpty ? " " : after + ",") in a stall, once \(previous) had ended"
    }
  }
}

extension Blame: CustomStringConvertible {
  private static let mostLines = 100

  /// A line for each of the first hundred pebbles, with the pebble's duration, its waits for limits
  /// and for the main actor, and its slack unless it is on the critical path.
  public var description: String {
    var lines = entries.prefix(Self.mostLines).map { entry in
      "\(entry.duration.brief.leftPadded(to: 9))  \(entry.name.shortName)  (\(entry.remark))"
    }
    if entries.count > lines.count { lines.append("… and \(entries.count - lines.count) more") }
    return lines.joined(separator: "\n")
  }
}

extension PebbleTiming {
  /// A description of the pebble's waits and slack.
  package var remark: String {
    var parts: [String] = []
    if waitForLimit > .zero { parts.append("waited \(waitForLimit.brief) for a limit") }
    if waitForMainActor > .zero {
      parts.append("waited \(waitForMainActor.brief) for the main actor")
    }
    parts.append(
      isOnCriticalPath ? "on the longest chain" : "could have taken \(slack.brief) longer")
    return parts.joined(separator: ", ")
  }
}
