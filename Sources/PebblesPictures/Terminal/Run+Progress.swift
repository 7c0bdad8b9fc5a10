public import Pebbles
public import PebblesAnalysis

extension Run {
  /// Shows on standard error how far the run is, until its boot is over.
  ///
  /// ```swift
  /// let run = try pond.start()
  /// let progress = run.showProgress(expecting: lastRun)
  /// let report = try await run.report
  /// await progress.value  // the last line has been written
  /// ```
  ///
  /// On a terminal that is a frame of at most twelve lines that changes in place, at most ten times
  /// a second: a bar with counts, what is running and for how long, what waits for whom or for a
  /// limit, those first that have run for longest. Failures scroll up above it and stay. Given an
  /// earlier run, it says how long pebbles are expected to take, and about how long the run will go
  /// on, and the bar shows what part of the time is over; without one, what part of the pebbles. In
  /// the end the frame gives way to one line, and to one on the goal if that was missed. Colours
  /// are left out if `NO_COLOR` is set.
  ///
  /// Without a terminal there are failures, and a line every ten seconds; on GitHub, failures are
  /// annotations, around a group.
  ///
  /// The run pays nothing for it: `run.status` is read by a timer, the less often the
  /// longer that takes. What the program itself writes to the terminal meanwhile stands in the way
  /// of the frame, and so does what a shell writes while the program is stopped.
  ///
  /// - Parameter earlier: A run to expect this one to be like, perhaps read from a file.
  /// - Returns: The task that shows it. To cancel it ends the show, not the run.
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
          await show.go({ self.status }, missedGoal: { self.reportOfBoot?.missedGoal }, clock)
          return true
        }
        // So that the last line does not wait for the timer. Inside of a body of the run its report
        // cannot be waited for, and the timer has to do.
        group.addTask { (try? await self.report) == nil }
        for await isShown in group where !isShown { group.cancelAll() }
      }
    }
  }
}
