import Pebbles

/// The text that shows the current progress of a run in a terminal: a bar with counts, then the
/// running pebbles, then the waiting pebbles.
struct ProgressFrame {
  /// The maximum number of lines in a frame, even if the terminal has more rows.
  static let mostLines = 12

  let lines: [[StyledText]]

  /// The filled fraction of the bar. If there is a forecast, this is the fraction of the expected
  /// makespan that has passed; otherwise, it is the fraction of pebbles that have settled.
  let fraction: Double

  /// Creates the frame for a status.
  ///
  /// - Parameters:
  ///   - status: The status of the run.
  ///   - name: The name of the pond.
  ///   - forecast: A forecast from an earlier run; `nil` if no earlier run is known.
  ///   - least: The filled fraction of the bar in the previous frame. The filled part never
  ///     shrinks.
  ///   - size: The size of the terminal. The row below the frame is reserved for the cursor, so a
  ///     terminal with a single row shows nothing.
  init(
    _ status: RunStatus, of name: String, _ forecast: Forecast?, from least: Double = 0,
    in size: TerminalSize
  ) {
    let settled = status.total == 0 ? 1 : Double(status.settled) / Double(status.total)
    fraction = max(least, forecast?.fraction(of: status) ?? settled)
    let most = min(Self.mostLines, size.rows - 1)
    guard most > 0 else {
      lines = []
      return
    }
    let pebbles = Self.pebbles(of: status, forecast, atMost: most)
    var lines = [Self.head(status, name, forecast, fraction, size.columns)]
    let room = most - 1
    if pebbles.count <= room {
      lines += pebbles.lines
    } else if room > 0 {
      lines += pebbles.lines.prefix(room - 1)
      lines.append([StyledText("  … and \(pebbles.count - room + 1) more", .faint)])
    }
    self.lines = lines.map { $0.cut(toColumns: max(size.columns - 1, 1)) }
  }

  // MARK: The bar

  private static func head(
    _ status: RunStatus, _ name: String, _ forecast: Forecast?, _ fraction: Double, _ columns: Int
  ) -> [StyledText] {
    let width = min(max(columns / 4, 6), 24)
    // Regardless of the forecast, a run is not over before its last pebble has settled.
    let isOver = status.settled == status.total
    let done = isOver ? width : min(Int(Double(width) * fraction), width - 1)
    let failed = status.pebbles.count { $0.state.kind == .failed }
    let blocked = status.pebbles.count { $0.state.skipKind == .blocked }
    let spared = status.pebbles.count { $0.state.kind == .skipped } - blocked
    let counts = [
      ("✗", failed, TextStyle.bad), (SkipKind.blocked.sign, blocked, .caution),
      (SkipKind.notNeeded.sign, spared, .faint),
    ].filter { $0.1 > 0 }.map { StyledText("  \($0.0) \($0.1)", $0.2) }
    let rest = forecast?.rest(of: status) ?? .zero
    // A shorter remaining time would be over before anyone has read it.
    let left = rest >= .seconds(1) ? "about \((rest + .milliseconds(500)).inSeconds) left" : nil
    let title = [StyledText("\(name.singleLine.cut(toColumns: 24)) ", .heading)]
    let bar = [
      StyledText(String(repeating: "━", count: done), .good),
      StyledText(String(repeating: "─", count: width - done), .faint),
    ]
    let settled = [StyledText("  \(status.settled) of \(status.total)")]
    let elapsed = status.elapsed.inTenths
    let whole = title + bar + settled + counts
    guard let left else { return whole + [StyledText("  \(elapsed)", .faint)] }
    // If there is no room for everything, the remaining time is left out last.
    let end = [StyledText("  \(left)", .faint)]
    let choices = [
      whole + [StyledText("  \(elapsed), \(left)", .faint)], whole + end,
      title + settled + counts + end, settled + counts + end, settled + end,
    ]
    let fits = { (line: [StyledText]) in line.reduce(0) { $0 + $1.text.columns } < columns }
    return choices.first(where: fits) ?? end
  }

  // MARK: The pebbles

  /// Returns the number of unsettled pebbles, and lines for at most `most` of them. Running pebbles
  /// come first, beginning with the longest-running one, then ready pebbles, then waiting pebbles.
  private static func pebbles(
    of status: RunStatus, _ forecast: Forecast?, atMost most: Int
  ) -> (count: Int, lines: [[StyledText]]) {
    var running: [RunStatus.Pebble] = []
    var ready: [RunStatus.Pebble] = []
    var waiting: [RunStatus.Pebble] = []
    var count = 0
    for pebble in status.pebbles where !pebble.state.kind.isSettled {
      count += 1
      if pebble.state.since != nil {
        running.append(pebble)
      } else if pebble.state.kind == .ready {
        if ready.count < most { ready.append(pebble) }
      } else if waiting.count < most {
        waiting.append(pebble)
      }
    }
    let longest = running.enumerated().sorted { left, right in
      let (first, second) = (left.element.state.since, right.element.state.since)
      return (first ?? .zero, left.offset) < (second ?? .zero, right.offset)
    }.map(\.element)
    let shown = (longest.prefix(most) + ready + waiting).prefix(most)
    let names = shown.map { $0.name.name(toColumns: 32) }
    let width = names.map(\.columns).max() ?? 0
    let lines = zip(shown, names).map { pebble, name in
      line(pebble, name.padded(toColumns: width), status.elapsed, forecast)
    }
    return (count, lines)
  }

  private static func line(
    _ pebble: RunStatus.Pebble, _ name: String, _ elapsed: Duration, _ forecast: Forecast?
  ) -> [StyledText] {
    let state = pebble.state
    if let since = state.since {
      let expected = forecast?.duration(of: pebble.name).map { " of about \($0.inTenths)" } ?? ""
      let attempt = state.attempt.map { $0 > 1 ? ", attempt \($0)" : "" } ?? ""
      let time = "\(max(elapsed - since, .zero).inTenths)\(expected)\(attempt)"
      return [StyledText("  ▸ \(name)  "), StyledText(time, .faint)]
    }
    return [StyledText("  · \(name)  \(state.description)", .faint)]
  }
}

/// The size of a terminal.
package struct TerminalSize: Sendable, Equatable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

extension Duration {
  /// The duration in minutes and seconds, with tenths if it is less than a minute: `3.2 s`,
  /// `2 min 5 s`. A terminal is redrawn at most ten times a second, so smaller fractions would not
  /// be visible.
  var inTenths: String {
    guard self < .seconds(60) else { return inSeconds }
    let tenths = nanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// The duration in minutes and whole seconds: `3 s`, `2 min 5 s`.
  var inSeconds: String {
    let seconds = nanoseconds / 1_000_000_000
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
