import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

@Suite(.watched) struct EventHubTests {
  @Test func everyObserverSeesAllEventsInOrder() async {
    let hub = EventHub(history: 0)
    let observers = [hub.events(), hub.events(), hub.events()]

    hub.publish("a", "b")
    hub.publish(.runEnded(isCancelled: false))
    hub.finish()

    for observer in observers { #expect(await observer.all() == ["a", "b", "end"]) }
  }

  @Test func sequenceMissesNothingBeforeItsFirstIteration() async {
    let hub = EventHub(history: 0)
    let events = hub.events()
    hub.publish("a")

    var first = events.makeAsyncIterator()
    var second = events.makeAsyncIterator()
    hub.publish("b")
    hub.finish()

    #expect(await first.rest() == ["a", "b"])
    #expect(await second.rest() == ["b"])
  }

  @Test func copiesOfAnIteratorShareTheEvents() async {
    let hub = EventHub(history: 0)
    var iterator = hub.events().makeAsyncIterator()
    var copy = iterator
    hub.publish("a", "b")
    hub.finish()

    #expect(await iterator.next()?.short == "a")
    #expect(await copy.next()?.short == "b")
    #expect(await iterator.next() == nil)
    #expect(await copy.next() == nil)
  }

  @Test func nothingFollowsTheEndOfTheRun() async {
    let hub = EventHub(history: 8)
    let events = hub.events()

    hub.publish(.runEnded(isCancelled: true))
    hub.finish()
    hub.publish("late")

    #expect(await events.all() == ["end"])
    #expect(await hub.events().all() == ["end"])
    #expect(!hub.hasObservers)
  }

  @Test func hubThatIsGoneEndsTheIteration() async {
    var hub = Optional(EventHub(history: 0))
    let events = hub?.events()
    hub?.publish("a")

    hub = nil

    #expect(await events?.all() == ["a"])
  }

  @Test(arguments: [0, 4]) func hubThatGoesWakesWhoWaits(history: Int) async {
    var hub = Optional(EventHub(history: history))
    let events = hub?.events()
    let observer = Task { await events?.all() }

    await Task.yield()
    hub = nil

    #expect(await observer.value == [])
  }

  @Test func noEventIsMadeWhenNobodyListens() {
    let made = Atomic(0)
    func event() -> RunEvent {
      made.add(1, ordering: .relaxed)
      return RunEvent(time: .zero, .ready("a"))
    }
    let hub = EventHub(history: 0)

    hub.publish(event())
    #expect(made.load(ordering: .relaxed) == 0)

    let events = hub.events()
    hub.publish(event())
    #expect(made.load(ordering: .relaxed) == 1)

    hub.finish()
    hub.publish(event())
    #expect(made.load(ordering: .relaxed) == 1)
    withExtendedLifetime(events) {}
  }

  @Test func lastReferenceToAnObserverUnsubscribes() async {
    let hub = EventHub(history: 0)
    #expect(!hub.hasObservers)

    var events = Optional(hub.events())
    #expect(hub.hasObservers)
    var iterator = events?.makeAsyncIterator()
    events = nil
    hub.publish("a")
    #expect(await iterator?.next()?.short == "a")
    iterator = nil

    #expect(!hub.hasObservers)
  }

  @Test func sequenceNeverIteratedUnsubscribes() {
    let hub = EventHub(history: 0)

    _ = hub.events()

    #expect(!hub.hasObservers)
  }

  @Test func errorThatListensDiesOutsideTheLock() async {
    /// An error that ends a subscription when it is released, as an error defined by a user can do.
    struct Listening: Error { let events: RunEvents }
    let hub = EventHub(history: 0)
    let slow = hub.events(1)
    hub.publish(.attemptFailed("a", attempt: 1, Listening(events: hub.events(1))))

    hub.publish("b", "c")
    hub.finish()

    #expect(await slow.all() == ["-2", "c"])
  }
}

extension EventHub {
  func events(_ capacity: Int = 100) -> RunEvents { subscribe(bufferingNewest: capacity) }
}

extension RunEvents.Iterator {
  mutating func rest() async -> [String] {
    var events: [String] = []
    while let event = await next() { events.append(event.short) }
    return events
  }
}
