extension Runner {
  /// Decides immediately whether to work, for runs that must not depend on real time.
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

  /// Goes to work, unless the run is at rest. At rest, another runner examines the queue, and may
  /// need the thread of this runner for that.
  ///
  /// - Returns: Whether the runner is now at work.
  private func join() -> Bool {
    let isAtWork = crew.join()
    crew.releaseSpare()
    return isAtWork
  }

  /// Waits a few microseconds for work that is worth a second runner.
  ///
  /// With tiny bodies, taking a pebble from the runner that has just made it ready costs both
  /// runners more than running it. So the spare goes to work only if pebbles wait and the other
  /// runners take few of them between two looks at the queue. In that case, the bodies of the other
  /// runners are suspended, or large enough that sharing pays. The spare does not leave
  /// immediately, because making a task for a new spare costs as much as ten tiny bodies. While the
  /// others are taking pebbles quickly, it sleeps between its looks.
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

/// A watch on the queue, which looks about every microsecond. Its findings depend on the number of
/// pebbles taken since the previous look.
private struct QueueWatch {
  enum Finding {
    case worthSharing, brisk, idle
  }

  static let mostIdleLooks = 24

  /// The lowest pace that shows that bodies are too small to share, in pebbles taken per runner
  /// between two looks.
  private static let briskPace = 5

  /// The smallest number of waiting pebbles that are worth sharing even while other runners take
  /// pebbles at a moderate pace.
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

  /// Starts counting again from now.
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
