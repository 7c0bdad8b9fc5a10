import Testing

@testable import Pebbles

/// Tests of the threads that the queue of a run acquires for blocking pebbles, and releases.
@Suite struct OrderedQueueTests {
  private let threads = BlockingThreads(limit: 1, most: 1)
  private let other = RunIdentifier()
  private let queue: OrderedQueue

  init() {
    let admission = AdmissionQueue(ranks: [0, 1], ResourceTable(), threaded: [0, 1])
    queue = OrderedQueue(admission, [0: 0, 1: 0], [:], threads, RunIdentifier())
    // Another run has the only thread.
    let other = other
    threads.changeAdmission { $0.add(run: other, priority: 0, Promise()).replies }
  }

  @Test func withoutAThreadNothingIsTakenThatBlocksOne() {
    queue.append([0])
    #expect(queue.take() == nil)

    threads.changeAdmission { [other] in $0.returned(by: other) }

    #expect(queue.take() == 0)
    guard case .lease(let lease)? = queue.thread(for: 0) else {
      Issue.record("there is no thread for it")
      return
    }
    lease.end()
    #expect(heldCount == 0)
  }

  @Test func aThreadThatComesAfterNoneIsWantedGoesBack() {
    queue.append([0])
    // It has been granted, and the queue has not been told yet.
    let replies = threads.withAdmission { [other] in $0.returned(by: other) }
    #expect(replies.count == 1 && heldCount == 1)

    queue.wantNoThreads()
    for (waiter, answer) in replies { waiter.answer.fulfill(answer) }

    #expect(heldCount == 0)
    #expect(queue.take() == nil)
  }

  @Test(arguments: [false, true])
  func whereNoneIsWantedPebblesAreTakenWithoutOneOnlyIfThatIsSaid(admitsAll: Bool) {
    queue.append([0, 1])

    if admitsAll { queue.wantNoThreads(admitsAll: true) } else { queue.wantNoThreads() }

    let taken = [queue.take(), queue.take()]
    #expect(taken == (admitsAll ? [0, 1] : [nil, nil]))
    #expect(queue.thread(for: 0) == nil && queue.thread(for: 1) == nil)
    #expect(threads.waitingCount == 0)
  }

  /// Checks that a queue asks for its next thread with the priority of its best pebble. Another run
  /// asks for a thread with a priority between those of the two pebbles.
  @Test func theNextThreadIsAskedForWithThePriorityOfTheBest() {
    let admission = AdmissionQueue(ranks: [1, 0], ResourceTable(), threaded: [0, 1])
    let queue = OrderedQueue(admission, [0: 0, 1: 5], [:], threads, RunIdentifier())
    let answer = Promise<BlockingThreadAdmission.Answer>()
    queue.append([0])
    threads.changeAdmission { $0.add(run: RunIdentifier(), priority: 3, answer).replies }
    queue.append([1])

    threads.changeAdmission { [other] in $0.returned(by: other) }

    #expect(queue.take() == 1)
    #expect(answer.fulfilled == nil)
  }

  private var heldCount: Int { threads.withAdmission(\.heldCount) }
}
