public import Pebbles
public import PebblesAnalysis

extension Run {
  /// Shows the progress of the run on standard error until its boot is over.
  ///
  /// ```swift
  /// let run = try pond.start()
  /// let progress = run.showProgress(expecting: lastRun)
  /// let report = try await run.report
  /// await progress.value  // the last line has been written
  /// ```
  ///
  /// On a terminal, the display is a frame of at most twelve lines, updated in place at most ten
  /// times a second. The frame consists of a bar with counts, the running pebbles (the
  /// longest-running one first), and the pebbles that wait for others or for a limit. Failures
  /// appear above the frame and are not erased. If there is an earlier run, the frame also shows
  /// how long pebbles are expected to take and about how much time is left. The bar then shows how
  /// much of the expected time has passed. Otherwise, it shows the fraction of the pebbles that
  /// have settled. At the end, a one-line summary replaces the frame, preceded by another line if
  /// the goal was missed. Colours are omitted if `NO_COLOR` is set.
  ///
  /// Without a terminal, the display consists of the failures, a status line every ten seconds, and
  /// the summary. On GitHub, failures are annotations within a collapsible group.
  ///
  /// The run itself is not slowed down: a timer polls `run.status`, less often if polling takes
  /// long. Anything else that the program writes to the terminal disturbs the frame, as does shell
  /// output while the program is suspended.
  ///
  /// - Parameter earlier: An earlier run to base the forecast on, for example one read from a file.
  /// - Returns: The task that shows the progress. Cancelling it ends the display, not the run.
  @discardableResult
  public func showProgress(expecting earlier: RecordedRun? = nil) -> Task<Void, Never> {
    showProgress(expecting: earlier, on: .standardError, ContinuousClock())
  }

  func showProgress(
    expecting earlier: RecordedRun?, on screen: ProgressScreen,
    _ clock: some Clock<Duration>
  ) -> Task<Void, Never> {
    let name = storage.pond.graph.pondName
    return Task {
      await withTaskGroup { group in
        group.addTask {
          var show = ProgressShow(of: name, expecting: earlier, on: screen)
          await show.run({ self.status }, missedGoal: { self.reportOfBoot?.missedGoal }, clock)
        }
        // This task ends the display as soon as the run has ended, without waiting for the timer.
        group.addTask { await self.waitForEnd() }
        _ = await group.next()
        group.cancelAll()
      }
    }
  }
}
