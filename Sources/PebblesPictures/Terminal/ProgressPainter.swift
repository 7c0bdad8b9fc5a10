import Pebbles

/// A painter that shows the progress of a run on a terminal. It draws a frame and updates it in
/// place. Failures appear above the frame; they scroll up and remain.
struct ProgressPainter {
  let name: String
  let forecast: Forecast?
  let isColored: Bool

  private var news = ProgressNews()

  /// The filled fraction of the bar in the last frame.
  private var fraction = 0.0

  /// The text of the frame on the screen, and the widths of its lines, in columns.
  private var shown = ""
  private var columns: [Int] = []
  private var size: TerminalSize?

  init(of name: String, _ forecast: Forecast?, isColored: Bool) {
    self.name = name
    self.forecast = forecast
    self.isColored = isColored
  }

  /// Returns the text that updates the screen to show a status; empty if nothing has changed.
  mutating func paint(_ status: RunStatus, in size: TerminalSize) -> String {
    let frame = ProgressFrame(status, of: name, forecast, from: fraction, in: size)
    fraction = frame.fraction
    return replace(frame.lines, status, size)
  }

  /// Returns the final text, which replaces the frame with the result of the run.
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
    let frame = text(lines, size)
    guard frame != shown || !failures.isEmpty else { return "" }
    // The terminal may have become narrower, so that a line takes several rows.
    let rows = columns.reduce(0) { $0 + max(1, ($1 + size.columns - 1) / max(size.columns, 1)) }
    let up = rows > 0 ? "\u{1B}[\(rows)A" : ""
    // Mode 2026 delays the update of the screen until all of the text has arrived. Terminals
    // without this mode ignore it. To avoid flicker, the rest of each line is erased after the line
    // is written. But a terminal that was resized may remember which rows were one line, and join
    // the new text to them. In this case, the whole frame is erased first.
    let isResized = self.size.map { $0 != size } ?? false
    (shown, columns, self.size) = (frame, lines.map(\.columns), size)
    return "\u{1B}[?2026h\(up)\r\(isResized && rows > 0 ? Self.erased : "")"
      + "\(text(failures, size))\(frame)\u{1B}[J\u{1B}[?2026l"
  }

  /// The escape sequence that erases the cursor's row, and then the rows below it. Some terminals
  /// copy the screen to the history if a single step erases all rows, so two steps are used.
  private static let erased = "\u{1B}[K\u{1B}[B\u{1B}[J\u{1B}[A"

  private func text(_ lines: [[StyledText]], _ size: TerminalSize) -> String {
    lines.map { line in
      // After a line that fills its last row, the cursor stays on the last letter until more text
      // comes. There is no rest to erase, and the letter would be erased instead.
      let fillsRow = line.columns > 0 && line.columns.isMultiple(of: max(size.columns, 1))
      let text = line.map { $0.shown(isColored: isColored) }.joined()
      return text + (fillsRow ? "\r\n" : "\u{1B}[K\r\n")
    }.joined()
  }
}
