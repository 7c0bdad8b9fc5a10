import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of the work that the board of a run does for unread events, and of the number of tasks
/// that it creates.
@Suite(.watched) struct EventBoardTests {
  private func event(_ pebble: String) -> RunEvent { RunEvent(time: .zero, .ready(pebble)) }

  @Test(arguments: [0, -1, 1])
  func aBoardListensForItsHistory(history: Int) {
    #expect(EventBoard(history: history, nil).isListening == (history > 0))
  }

  @Test func anEventThatNobodyReadsIsNotMade() {
    let hub = EventHub(history: 0)
    var made = 0
    func make() -> RunEvent {
      made += 1
      return event("a")
    }

    hub.publish(make())
    #expect(made == 0)
    let events = hub.subscribe(bufferingNewest: 1)
    hub.publish(make())
    #expect(made == 1)
    withExtendedLifetime(events) {}
  }

  @Test func whoStopsListeningIsForgotten() {
    let hub = EventHub(history: 0)
    var events: RunEvents? = hub.subscribe(bufferingNewest: 1)
    #expect(hub.hasObservers)

    withExtendedLifetime(events) {}
    events = nil

    #expect(!hub.hasObservers)
  }

  @Test func whatIsPostedAfterTheEndIsNotKept() async {
    let board = EventBoard(history: 4, nil)
    board.post(event("a"))
    board.finish()

    board.post(event("b"))

    let events = RunEvents(board, bufferingNewest: 4, endingWith: { [] })
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.pebble == "a")
    #expect(await iterator.next() == nil)
  }

  /// Tests a sequence that was created outside a service and is iterated inside it. The iteration
  /// must end once the service is asked to stop.
  @Test func whoIteratesInsideOfAServiceEndsWithIt() async {
    let hub = EventHub(history: 0)
    let stop = Promise<Void>()
    let stops = Mutex<[Promise<Void>]>([])
    let events = hub.subscribe(bufferingNewest: 4) { stops.withLock { $0 } }
    stops.withLock { $0 = [stop] }
    var iterator = events.makeAsyncIterator()
    hub.publish(event("a"))

    stop.fulfill(())

    #expect(await iterator.next()?.pebble == "a")
    #expect(await iterator.next() == nil)
  }
}
