extension Runner {
  /// Goes to work, or away, at once: where no real time is to pass.
  ///
  /// - Returns: Whether it is now at work.
  func joinAtOnce() -> Bool {
    repeat {
      // No runner takes what a cancelled run has left in the queue.
      if life.isOver || core.isCancelled { return false }
      if !queue.isEmpty { return join() }
      crew.releaseSpare()
    } while !queue.isEmpty && crew.reserveSpare(isUrgent: true)
    return false
  }

  /// Goes to work, or away if the run is at rest: there is one then who looks at the queue, and may
  /// need the thread of this one for that.
  private func join() -> Bool {
    let isAtWork = crew.join()
    crew.releaseSpare()
    return isAtWork
  }

  /// Waits, for some microseconds, for work that is worth a second runner.
  ///
  /// With tiny bodies, taking a pebble from under the hands of the runner that has just made it
  /// ready costs both more than running it. So the spare goes to work only when pebbles wait and
  /// the others take few of them between two of its looks: because their bodies are worth sharing,
  /// or suspended. And making a task for a new spare costs as much as ten tiny bodies, so it does
  /// not leave at once. While the others are brisk it is not needed, and sleeps between its looks.
  ///
  /// - Returns: Whether it is now at work.
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

/// Looks at the queue every microsecond or so and judges by how many pebbles were taken.
private struct QueueWatch {
  enum Finding {
    case worthSharing, brisk, idle
  }

  static let mostIdleLooks = 24

  /// From how many pebbles on that each runner takes between two looks their bodies are too small
  /// to share.
  private static let briskPace = 5

  /// From how many waiting pebbles on a moderate pace is too slow.
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

  /// Starts counting anew.
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
