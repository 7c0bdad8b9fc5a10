import Pebbles

/// Paints the progress of a run on a terminal: a frame that changes in place, and failures that
/// scroll up above it and stay.
struct ProgressPainter {
  let name: String
  let forecast: Forecast?
  let isColored: Bool

  private var news = ProgressNews()

  /// How far the bar has come.
  private var part = 0.0

  /// What is on the screen, and how many columns each of its lines takes.
  private var shown = ""
  private var columns: [Int] = []
  private var size: TerminalSize?

  init(of name: String, _ forecast: Forecast?, isColored: Bool) {
    self.name = name
    self.forecast = forecast
    self.isColored = isColored
  }

  /// What to write for the screen to show how far the run is; nothing if it does already.
  mutating func paint(_ status: RunStatus, in size: TerminalSize) -> String {
    let frame = ProgressFrame(status, of: name, forecast, from: part, in: size)
    part = frame.part
    return replace(frame.lines, status, size)
  }

  /// What to write for the last time: the frame goes, and what came of the run stays.
  mutating func finish(
    _ status: RunStatus, missedGoal: String? = nil, in size: TerminalSize
  ) -> String {
    let isBad = missedGoal != nil || status.pebbles.contains { $0.state.kind == .failed }
    let summary = ProgressNews.summary(status, of: name, missedGoal: missedGoal)
    let missed = ProgressNews.lines(missedGoal: missedGoal).map { [StyledText("✗ \($0)", .bad)] }
    return replace(missed + [[StyledText(summary, isBad ? .bad : .good)]], status, size)
  }

  private mutating func replace(
    _ lines: [[StyledText]], _ status: RunStatus, _ size: TerminalSize
  ) -> String {
    let failures = news.failures(status).map { [StyledText("✗ \($0)", .bad)] }
    let frame = text(lines)
    guard frame != shown || !failures.isEmpty else { return "" }
    // The terminal may have become narrower, and then a line takes several.
    let rows = columns.reduce(0) { $0 + max(1, ($1 + size.columns - 1) / max(size.columns, 1)) }
    let up = rows > 0 ? "\u{1B}[\(rows)A" : ""
    // Mode 2026 holds back the screen until all is there; terminals without it pass over it. Lines
    // are erased behind what is written, not before, lest they flicker; but a terminal that has
    // another size now may remember which lines were one, and join what is written over them.
    let isResized = self.size.map { $0 != size } ?? false
    (shown, columns, self.size) = (frame, lines.map(\.columns), size)
    return "\u{1B}[?2026h\(up)\r\(isResized && rows > 0 ? Self.erased : "")"
      + "\(text(failures))\(frame)\u{1B}[J\u{1B}[?2026l"
  }

  /// Erases the row of the cursor, then what is below it: to erase all from the first row of a
  /// screen on makes some terminals keep it as history.
  private static let erased = "\u{1B}[K\u{1B}[B\u{1B}[J\u{1B}[A"

  private func text(_ lines: [[StyledText]]) -> String {
    lines.map { line in
      line.map { $0.shown(isColored: isColored) }.joined() + "\u{1B}[K\r\n"
    }.joined()
  }
}
