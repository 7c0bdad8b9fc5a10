import Pebbles

/// A writer that reports the progress of a run when there is no terminal. It writes each failure as
/// it occurs, and a status line at regular intervals. On GitHub, each failure is an annotation, and
/// all lines before the summary form a collapsible group.
struct ProgressLog {
  let name: String
  let isOnGitHub: Bool

  private var news = ProgressNews()
  private var hasBegun = false
  private var lastLine = Duration.zero

  /// The minimum time between two status lines.
  private static let interval = Duration.seconds(10)

  init(of name: String, isOnGitHub: Bool) {
    self.name = name.singleLine.truncated(to: 60)
    self.isOnGitHub = isOnGitHub
  }

  /// Returns the text to write for a status; usually empty.
  mutating func tell(_ status: RunStatus) -> String {
    var lines = begin() + failures(status)
    if status.elapsed - lastLine >= Self.interval {
      lastLine = status.elapsed
      lines.append(plain(line(status)))
    }
    return lines.map { "\($0)\n" }.joined()
  }

  /// Returns the text to write when the run has ended: the failures that have not been written yet,
  /// the missed goal, if any, and the summary.
  mutating func finish(_ status: RunStatus, missedGoal: String? = nil) -> String {
    let missed = ProgressNews.lines(missedGoal: missedGoal).map(error)
    let lines =
      begin() + failures(status) + missed + (isOnGitHub ? ["::endgroup::"] : [])
      + [plain(ProgressNews.summary(status, of: name, missedGoal: missedGoal))]
    return lines.map { "\($0)\n" }.joined()
  }

  private mutating func begin() -> [String] {
    defer { hasBegun = true }
    return isOnGitHub && !hasBegun ? ["::group::\(name.inCommand)"] : []
  }

  private mutating func failures(_ status: RunStatus) -> [String] {
    news.failures(status).map(error)
  }

  private func error(_ message: String) -> String {
    isOnGitHub
      ? Annotation(level: .error, title: name, message: message).command : "\(name): \(message)"
  }

  /// Returns a line, escaped on GitHub so that it is not interpreted as a workflow command.
  private func plain(_ line: String) -> String { isOnGitHub ? line.withoutCommands : line }

  private func line(_ status: RunStatus) -> String {
    let running = status.pebbles.filter { $0.state.kind == .running }
    let names = running.prefix(4).map { $0.name.shortName }
    let more = running.count > names.count ? ["\(running.count - names.count) more"] : []
    let list = names.isEmpty ? "" : "; running: \((names + more).joined(separator: ", "))"
    return "\(name): \(status.settled) of \(status.total) after \(status.elapsed.inSeconds)\(list)"
  }
}
