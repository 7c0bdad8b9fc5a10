import Pebbles
import PebblesAnalysis

/// A display that polls the status of a run and shows its progress.
struct ProgressShow {
  private enum Display {
    case painter(ProgressPainter)
    case log(ProgressLog)
  }

  private let screen: ProgressScreen
  private var display: Display

  /// The minimum time between two polls.
  private static let interval = Duration.milliseconds(100)

  /// The minimum ratio of the time between polls to the duration of a poll. It limits the share of
  /// a processor core that polling uses.
  private static let pollingRatio = 20

  init(of name: String, expecting earlier: RecordedRun?, on screen: ProgressScreen) {
    self.screen = screen
    switch screen.kind {
    case .terminal(let isColored):
      display = .painter(
        ProgressPainter(of: name, earlier.map(Forecast.init), isColored: isColored))
    case .github: display = .log(ProgressLog(of: name, isOnGitHub: true))
    case .plain: display = .log(ProgressLog(of: name, isOnGitHub: false))
    }
  }

  /// Shows the progress of a run while the run is booting, and then its result. If the task is
  /// cancelled, the status at that time is shown as the result.
  mutating func run(
    _ status: @Sendable () -> RunStatus, missedGoal: @Sendable () -> String? = { nil },
    _ clock: some Clock<Duration>
  ) async {
    while !Task.isCancelled {
      var seen: RunStatus?
      let cost = clock.measure { seen = status() }
      guard let seen, seen.phase == .booting else { break }
      show(seen)
      try? await clock.sleep(for: max(Self.interval, cost * Self.pollingRatio))
    }
    finish(status(), missedGoal())
  }

  private mutating func show(_ status: RunStatus) {
    switch display {
    case .painter(var painter):
      write(painter.paint(status, in: screen.size()))
      display = .painter(painter)
    case .log(var log):
      write(log.tell(status))
      display = .log(log)
    }
  }

  private mutating func finish(_ status: RunStatus, _ missedGoal: String?) {
    switch display {
    case .painter(var painter):
      write(painter.finish(status, missedGoal: missedGoal, in: screen.size()))
    case .log(var log): write(log.finish(status, missedGoal: missedGoal))
    }
  }

  private func write(_ text: String) {
    if !text.isEmpty { screen.write(text) }
  }
}
