import Pebbles

/// What a terminal shows of a run at one moment: a bar with counts, then what is running, and what
/// waits for whom.
struct ProgressFrame {
  /// At most so many lines, however high the terminal is.
  static let mostLines = 12

  let lines: [[StyledText]]

  /// How much of the bar is filled: by a forecast what part of the time is over, else what part of
  /// the pebbles has settled.
  let part: Double

  /// - Parameters:
  ///   - status: How far the run is.
  ///   - name: What the pond is called.
  ///   - forecast: What an earlier run says of it.
  ///   - least: What part of the bar has been filled before: it does not go back.
  ///   - size: The size of the terminal; a line of it stays free for what comes below, so one of a
  ///     single row shows nothing.
  init(
    _ status: RunStatus, of name: String, _ forecast: Forecast?, from least: Double = 0,
    in size: TerminalSize
  ) {
    let settled = status.total == 0 ? 1 : Double(status.settled) / Double(status.total)
    part = max(least, forecast?.part(of: status) ?? settled)
    let most = min(Self.mostLines, size.rows - 1)
    guard most > 0 else {
      lines = []
      return
    }
    let pebbles = Self.pebbles(of: status, forecast, atMost: most)
    var lines = [Self.head(status, name, forecast, part, size.columns)]
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
    _ status: RunStatus, _ name: String, _ forecast: Forecast?, _ part: Double, _ columns: Int
  ) -> [StyledText] {
    let width = min(max(columns / 4, 6), 24)
    // Whatever was expected, a run is not over before its last pebble has settled.
    let isOver = status.settled == status.total
    let done = isOver ? width : min(Int(Double(width) * part), width - 1)
    let failed = status.pebbles.count { $0.state.kind == .failed }
    let blocked = status.pebbles.count { $0.state.skipKind == .blocked }
    let spared = status.pebbles.count { $0.state.kind == .skipped } - blocked
    let counts = [
      ("✗", failed, TextStyle.bad), (SkipKind.blocked.sign, blocked, .caution),
      (SkipKind.notNeeded.sign, spared, .faint),
    ].filter { $0.1 > 0 }.map { StyledText("  \($0.0) \($0.1)", $0.2) }
    let rest = forecast?.rest(of: status) ?? .zero
    // What is less than that is over before it has been read.
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
    // Where there is no room for all, what is left of the time stays for longest.
    let end = [StyledText("  \(left)", .faint)]
    let choices = [
      whole + [StyledText("  \(elapsed), \(left)", .faint)], whole + end,
      title + settled + counts + end, settled + counts + end, settled + end,
    ]
    let fits = { (line: [StyledText]) in line.reduce(0) { $0 + $1.text.columns } < columns }
    return choices.first(where: fits) ?? end
  }

  // MARK: The pebbles

  /// Those that are under way, and the lines of the first of them.
  private static func pebbles(
    of status: RunStatus, _ forecast: Forecast?, atMost most: Int
  ) -> (count: Int, lines: [[StyledText]]) {
    var running: [RunStatus.Pebble] = []
    var others: [RunStatus.Pebble] = []
    var (runningCount, otherCount) = (0, 0)
    for pebble in status.pebbles where !pebble.state.kind.isSettled {
      if pebble.state.since != nil {
        runningCount += 1
        running.append(pebble)
      } else {
        otherCount += 1
        if others.count < most { others.append(pebble) }
      }
    }
    // Those first that have run for longest; then those that need not wait for others any more.
    let longest = running.enumerated().sorted { left, right in
      let (first, second) = (left.element.state.since, right.element.state.since)
      return (first ?? .zero, left.offset) < (second ?? .zero, right.offset)
    }.map(\.element)
    let ready = others.filter { $0.state.kind == .ready }
    let waiting = others.filter { $0.state.kind != .ready }
    let shown = (longest.prefix(most) + ready + waiting).prefix(most)
    let names = shown.map { $0.name.name(toColumns: 32) }
    let width = names.map(\.columns).max() ?? 0
    let lines = zip(shown, names).map { pebble, name in
      line(pebble, name.padded(toColumns: width), status.elapsed, forecast)
    }
    return (runningCount + otherCount, lines)
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

/// How large a terminal is.
package struct TerminalSize: Sendable, Equatable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

extension Duration {
  /// In tenths of a second, which is as fast as a terminal is drawn: `3.2 s`, `2 min 5 s`.
  var inTenths: String {
    guard self < .seconds(60) else { return inSeconds }
    let tenths = nanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// In seconds: `3 s`, `2 min 5 s`.
  var inSeconds: String {
    let seconds = nanoseconds / 1_000_000_000
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
