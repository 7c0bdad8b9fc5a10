/// The order in which the locks of runs are taken of which one is held while another is taken.
///
/// 1. That of `SelfAwaitingRuns`, of which there is one in a process.
/// 2. That of a run, `RunLifeLock`; then that of the run around it, and so on outwards.
/// 3. That of the queue of a run, `OrderedQueue`.
/// 4. That of `BlockingThreads`.
///
/// Under that of a run also those of what it holds on to and of its journal. Under any other lock
/// none is taken, and under none is code of the user called.
enum LockPlace {
  static let selfAwaitingRuns = 1

  /// - Parameter depth: How many runs the run is inside of.
  /// - Returns: The place of its lock.
  static func run(atDepth depth: Int) -> Int { deepest + 2 - min(depth, deepest) }

  static let queue = deepest + 3
  static let blockingThreads = deepest + 4

  /// Runs inside of runs that are deeper than this are not told apart.
  private static let deepest = 1 << 20
}
