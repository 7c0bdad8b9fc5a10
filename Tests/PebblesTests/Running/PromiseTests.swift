import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct PromiseTests {
  private let promise = Promise<Int>()

  /// Checks a promise for which many tasks wait. If the work of a wait grew with the number of
  /// tasks that already wait, this test would take minutes.
  @Test func manyMayWait() async {
    await withTaskGroup { [promise] group in
      for _ in 0..<100_000 {
        group.addTask { #expect(await promise.value() == 7) }
      }
      group.addTask {
        await Task.yield()
        promise.fulfill(7)
      }
    }

    #expect(promise.fulfilled == 7)
  }

  @Test func whoComesLaterIsToldAtOnce() async {
    #expect(promise.fulfilled == nil)

    #expect(promise.fulfill(7))

    #expect(await promise.value() == 7)
  }

  @Test func onlyTheFirstValueCounts() async {
    promise.fulfill(7)

    #expect(!promise.fulfill(8))
    #expect(await promise.value() == 7)
  }
}
