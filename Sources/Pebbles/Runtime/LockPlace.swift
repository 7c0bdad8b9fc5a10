/// The order in which the locks of runs are nested. While a thread holds one of these locks, it may
/// take only locks that come later in the list:
///
/// 1. The lock of `SelfAwaitingRuns`, one per process.
/// 2. A run's lock, `RunLifeLock`; then the enclosing run's lock, and so on outwards.
/// 3. The lock of a run's queue, `OrderedQueue`.
/// 4. The lock of `BlockingThreads`.
///
/// The lock of a `RunChain` comes before the locks of its runs. While a thread holds a run's
/// `RunLifeLock`, it may also take the locks of the objects that the run holds, of the run's
/// results, and of its journal. While a thread holds any lock that is not mentioned here, it takes
/// no other lock. User code is never called under a lock.
enum LockPlace {
  static let selfAwaitingRuns = 1

  /// Returns the position of a run's lock in the order of locks.
  ///
  /// - Parameter depth: The depth of the run. It is greater than the depths of the enclosing run
  ///   and of the runs that the run resumes.
  /// - Returns: The position. Locks with greater positions are nested inside this lock.
  static func run(atDepth depth: Int) -> Int { deepest + 2 - min(depth, deepest) }

  static let queue = deepest + 3
  static let blockingThreads = deepest + 4

  /// The greatest depth with a separate position. The locks of deeper runs share the position of
  /// this depth.
  private static let deepest = 1 << 20
}
