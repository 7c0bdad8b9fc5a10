import Pebbles
import PebblesAnalysis

/// The display of a run's progress, which polls its status.
struct ProgressShow {
  private enum Hand {
    case painter(ProgressPainter)
    case teller(ProgressTeller)
  }

  private let screen: ProgressScreen
  private var hand: Hand

  /// The minimum time between two polls.
  private static let interval = Duration.milliseconds(100)

  /// The minimum ratio of the time between polls to the duration of a poll. It bounds the share of
  /// a core that polling costs.
  private static let leisure = 20

  init(of name: String, expecting earlier: RecordedRun?, on screen: ProgressScreen) {
    self.screen = screen
    switch screen.kind {
    case .terminal(let isColored):
      hand = .painter(
        ProgressPainter(of: name, earlier.map(Forecast.init), isColored: isColored))
    case .github: hand = .teller(ProgressTeller(of: name, isOnGitHub: true))
    case .plain: hand = .teller(ProgressTeller(of: name, isOnGitHub: false))
    }
  }

  /// Shows the progress of a run until the task is cancelled or the run is no longer booting; then
  /// shows the result.
  mutating func go(
    _ status: @Sendable () -> RunStatus, missedGoal: @Sendable () -> String? = { nil },
    _ clock: some Clock<Duration>
  ) async {
    while !Task.isCancelled {
      var seen: RunStatus?
      let cost = clock.measure { seen = status() }
      guard let seen, seen.phase == .booting else { break }
      show(seen)
      try? await clock.sleep(for: max(Self.interval, cost * Self.leisure))
    }
    finish(status(), missedGoal())
  }

  private mutating func show(_ status: RunStatus) {
    switch hand {
    case .painter(var painter):
      write(painter.paint(status, in: screen.size()))
      hand = .painter(painter)
    case .teller(var teller):
      write(teller.tell(status))
      hand = .teller(teller)
    }
  }

  private mutating func finish(_ status: RunStatus, _ missedGoal: String?) {
    switch hand {
    case .painter(var painter):
      write(painter.finish(status, missedGoal: missedGoal, in: screen.size()))
    case .teller(var teller): write(teller.finish(status, missedGoal: missedGoal))
    }
  }

  private func write(_ text: String) {
    if !text.isEmpty { screen.write(text) }
  }
}
