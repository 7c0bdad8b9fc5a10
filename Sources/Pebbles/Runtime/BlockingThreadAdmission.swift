/// Who may block a thread: which blocking bodies of all runs of the process, and which of them wait
/// for one.
///
/// A few bodies at a time, those of higher priority first, then first come, first served. A run
/// none of whose bodies blocks a thread gets one beyond that, or bodies of other runs that never
/// return would hold it up for ever. A body that was given up does not count any more: its thread
/// is replaced. Both up to a bound, beyond which bodies wait; and once all threads belong to bodies
/// that were given up, waiting would be in vain, and those that come fail with
/// ``BlockingThreadShortage``.
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
    /// It does not want one any more.
    case withdrawn
  }

  /// A body that waits no longer, and why.
  typealias Told = (waiter: Waiter, answer: Answer)

  /// How many bodies may block a thread at a time, but for those of runs that have none.
  let limit: Int

  /// How many threads there may ever be.
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

  /// How many threads all of them need together.
  var threadCount: Int { heldCount + abandonedCount }

  var waitingCount: Int { waiters.count }

  /// - Returns: What identifies the waiter, and those to be told.
  mutating func add(
    run: RunIdentifier, priority: Int, _ answer: Promise<Answer>
  ) -> (number: Int, told: [Told]) {
    waitersSoFar += 1
    let waiter = Waiter(number: waitersSoFar, run: run, priority: priority, answer: answer)
    // Behind all those of its priority.
    let place = waiters.firstIndex { $0.priority < priority } ?? waiters.endIndex
    waiters.insert(waiter, at: place)
    return (waiter.number, grant())
  }

  mutating func withdraw(_ number: Int) -> [Told] {
    guard let place = waiters.firstIndex(where: { $0.number == number }) else { return [] }
    return [(waiters.remove(at: place), .withdrawn)]
  }

  /// A body that held a thread was given up.
  mutating func abandoned(by run: RunIdentifier) -> [Told] {
    give(back: run)
    abandonedCount += 1
    return grant()
  }

  /// A body that held a thread has returned.
  mutating func returned(by run: RunIdentifier) -> [Told] {
    give(back: run)
    return grant()
  }

  /// A body that had been given up has returned after all.
  mutating func abandonedReturned() -> [Told] {
    abandonedCount -= 1
    return grant()
  }

  private mutating func give(back run: RunIdentifier) {
    heldCount -= 1
    heldByRun[run, default: 0] -= 1
    if heldByRun[run] == 0 { heldByRun[run] = nil }
  }

  private mutating func grant() -> [Told] {
    var told: [Told] = []
    var left: [Waiter] = []
    for waiter in waiters {
      if let answer = answer(to: waiter) {
        told.append((waiter, answer))
      } else {
        left.append(waiter)
      }
    }
    waiters = left
    return told
  }

  private mutating func answer(to waiter: Waiter) -> Answer? {
    if threadCount >= most {
      return heldCount == 0 ? .refused(BlockingThreadShortage(threadCount: most)) : nil
    }
    guard heldCount < limit || heldByRun[waiter.run] == nil else { return nil }
    heldCount += 1
    heldByRun[waiter.run, default: 0] += 1
    return .granted
  }
}
