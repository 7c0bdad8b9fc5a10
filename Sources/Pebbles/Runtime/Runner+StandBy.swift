extension Runner {
  /// Goes to work if the queue contains a pebble; otherwise, stops standing by without waiting for
  /// work. This method replaces `standBy()` in runs that must not depend on real time.
  ///
  /// - Returns: Whether the runner is now at work.
  func joinAtOnce() -> Bool {
    repeat {
      // Pebbles that a cancelled run has left in the queue are not taken by any runner.
      if life.isOver || core.isCancelled { return false }
      if !queue.isEmpty { return join() }
      crew.releaseSpare()
    } while !queue.isEmpty && crew.reserveSpare(isUrgent: true)
    return false
  }

  /// Goes to work, unless the run is at rest. In a run at rest, the last runner examines the queue,
  /// and may need the thread of this runner.
  ///
  /// - Returns: Whether the runner is now at work.
  private func join() -> Bool {
    let isAtWork = crew.join()
    crew.releaseSpare()
    return isAtWork
  }

  /// Waits a few microseconds for work that is worth a second runner.
  ///
  /// If bodies are tiny, taking a pebble from the runner that has just made it ready costs both
  /// runners more time than running the pebble. Therefore, this spare runner goes to work only if
  /// pebbles are waiting and the other runners take few of them between two checks of the queue. In
  /// that case, the other runners' bodies are suspended, or large enough to be worth sharing. The
  /// spare runner does not leave immediately, because creating a task for a new spare takes as long
  /// as running ten tiny bodies. While the other runners take pebbles quickly, the spare runner
  /// sleeps between its checks.
  ///
  /// - Returns: Whether the runner is now at work.
  func standBy() async -> Bool {
    if core.options.executor != nil { return joinAtOnce() }
    var watch = QueueWatch(queue, crew)
    RunClock.pause()
    while true {
      while watch.idleLooks < QueueWatch.mostIdleLooks {
        if life.isOver || core.isCancelled { return false }
        switch watch.look() {
        case .worthSharing:
          return join()
        case .brisk:
          try? await Task.sleep(for: .microseconds(50))
          watch.restart()
        case .idle:
          break
        }
        RunClock.pause()
      }
      crew.releaseSpare()
      guard !queue.isEmpty, crew.reserveSpare(isUrgent: true) else { return false }
      watch.restart()
    }
  }
}

/// A watch that checks the queue about once per microsecond. Its findings depend on the number of
/// pebbles that were taken since the previous check.
private struct QueueWatch {
  enum Finding {
    case worthSharing, brisk, idle
  }

  static let mostIdleLooks = 24

  /// The minimum pace at which bodies count as too short to be worth sharing, as the average number
  /// of pebbles that each runner takes between two checks.
  private static let briskPace = 5

  /// The minimum number of waiting pebbles for which another runner is worthwhile if the runners
  /// are taking pebbles at a moderate pace.
  private static let backlog = 8

  private let queue: ReadyQueue
  private let crew: RunnerCrew
  private var lastTaken: UInt32
  private(set) var idleLooks = 0

  init(_ queue: ReadyQueue, _ crew: RunnerCrew) {
    self.queue = queue
    self.crew = crew
    lastTaken = queue.takenCount
  }

  /// Resets the counts of taken pebbles and idle checks.
  mutating func restart() {
    lastTaken = queue.takenCount
    idleLooks = 0
  }

  mutating func look() -> Finding {
    let takenCount = queue.takenCount
    let taken = takenCount &- lastTaken
    lastTaken = takenCount
    idleLooks += 1
    guard taken > 0 else { return queue.isEmpty ? .idle : .worthSharing }
    guard taken < Self.briskPace * max(1, crew.workingCount) else { return .brisk }
    return queue.holds(Self.backlog) ? .worthSharing : .idle
  }
}
