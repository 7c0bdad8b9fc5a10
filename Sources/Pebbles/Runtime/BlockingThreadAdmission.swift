/// A record of the blocking bodies of all runs in the process. It determines which bodies get a
/// thread, and which must wait.
///
/// Only a limited number of bodies can hold a thread at a time. Bodies with a higher priority come
/// first, and bodies with the same priority get threads in order of arrival. A run that holds no
/// thread gets one even if the limit has been reached. Otherwise, bodies of other runs that never
/// return could delay the run forever. An abandoned body no longer counts toward the limit, because
/// its thread is replaced.
///
/// The total number of threads is also limited. At the maximum, bodies wait until a thread is free.
/// However, if abandoned bodies occupy all these threads, waiting would be pointless, and bodies
/// that need a thread fail with ``BlockingThreadShortage``.
struct BlockingThreadAdmission: Sendable {
  /// A body that waits for a thread.
  struct Waiter: Sendable {
    let number: Int
    let run: RunIdentifier
    let priority: Int
    let answer: Promise<Answer>
  }

  enum Answer: Sendable {
    case granted
    case refused(BlockingThreadShortage)
    /// The answer to a waiter whose request was withdrawn.
    case withdrawn
  }

  /// The answer to a body's request for a thread, with the body that asked.
  typealias Reply = (waiter: Waiter, answer: Answer)

  /// The number of bodies that may hold a thread at a time. A run that holds no thread gets one
  /// even beyond this limit.
  let limit: Int

  /// The maximum number of threads, including those of abandoned bodies.
  let most: Int

  private var heldByRun: [RunIdentifier: Int] = [:]
  private(set) var heldCount = 0
  private(set) var abandonedCount = 0
  private var waiters: [Waiter] = []
  private var waitersSoFar = 0

  init(limit: Int, most: Int) {
    self.limit = limit
    self.most = max(most, limit)
  }

  /// The total number of threads that bodies hold, including abandoned bodies.
  var threadCount: Int { heldCount + abandonedCount }

  var waitingCount: Int { waiters.count }

  /// Adds a body that waits for a thread.
  ///
  /// - Returns: The number of the new waiter, and the replies to deliver now.
  mutating func add(
    run: RunIdentifier, priority: Int, _ answer: Promise<Answer>
  ) -> (number: Int, replies: [Reply]) {
    waitersSoFar += 1
    let waiter = Waiter(number: waitersSoFar, run: run, priority: priority, answer: answer)
    // A new waiter comes after all waiters of the same priority.
    let place = waiters.firstIndex { $0.priority < priority } ?? waiters.endIndex
    waiters.insert(waiter, at: place)
    return (waiter.number, grant())
  }

  /// Adds a body that gets a thread immediately, even if the limit has been reached.
  ///
  /// - Returns: Whether the body holds a thread; `false` if the maximum number of threads has been
  ///   reached.
  mutating func addAtOnce(run: RunIdentifier) -> Bool {
    guard threadCount < most else { return false }
    hold(for: run)
    return true
  }

  mutating func withdraw(_ number: Int) -> [Reply] {
    guard let place = waiters.firstIndex(where: { $0.number == number }) else { return [] }
    return [(waiters.remove(at: place), .withdrawn)]
  }

  /// Records that a body was abandoned while it held a thread.
  mutating func abandoned(by run: RunIdentifier) -> [Reply] {
    give(back: run)
    abandonedCount += 1
    return grant()
  }

  /// Records that a body has returned and no longer needs its thread.
  mutating func returned(by run: RunIdentifier) -> [Reply] {
    give(back: run)
    return grant()
  }

  /// Records that an abandoned body has returned.
  mutating func abandonedReturned() -> [Reply] {
    abandonedCount -= 1
    return grant()
  }

  private mutating func give(back run: RunIdentifier) {
    heldCount -= 1
    heldByRun[run, default: 0] -= 1
    if heldByRun[run] == 0 { heldByRun[run] = nil }
  }

  private mutating func grant() -> [Reply] {
    var replies: [Reply] = []
    var left: [Waiter] = []
    for waiter in waiters {
      if let answer = answer(to: waiter) {
        replies.append((waiter, answer))
      } else {
        left.append(waiter)
      }
    }
    waiters = left
    return replies
  }

  private mutating func answer(to waiter: Waiter) -> Answer? {
    if threadCount >= most {
      return heldCount == 0 ? .refused(BlockingThreadShortage(threadCount: most)) : nil
    }
    guard heldCount < limit || heldByRun[waiter.run] == nil else { return nil }
    hold(for: waiter.run)
    return .granted
  }

  private mutating func hold(for run: RunIdentifier) {
    heldCount += 1
    heldByRun[run, default: 0] += 1
  }
}
