/// The order of nested locks of runs. A lock may be taken only under locks before it:
///
/// 1. The lock of `SelfAwaitingRuns`, one per process.
/// 2. The lock of a run, `RunLifeLock`; then the lock of the run around it, and so on outwards.
/// 3. The lock of the queue of a run, `OrderedQueue`.
/// 4. The lock of `BlockingThreads`.
///
/// The lock of the objects that a run holds, and the lock of its journal, are also taken under the
/// lock of the run. No lock is taken under any other lock, and user code is never called under a
/// lock.
enum LockPlace {
  static let selfAwaitingRuns = 1

  /// Returns the place of the lock of a run.
  ///
  /// - Parameter depth: The number of runs that the run is inside of.
  /// - Returns: The place.
  static func run(atDepth depth: Int) -> Int { deepest + 2 - min(depth, deepest) }

  static let queue = deepest + 3
  static let blockingThreads = deepest + 4

  /// The depth beyond which runs inside runs share one place.
  private static let deepest = 1 << 20
}
