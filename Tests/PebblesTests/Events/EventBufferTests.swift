import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct EventBufferTests {
  @Test func slowObserverLosesTheOldestAndIsToldHowMany() async {
    let hub = EventHub(history: 0)
    let slow = hub.events(2)
    let fast = hub.events()

    hub.publish("a", "b", "c", "d", "e")
    hub.finish()

    #expect(await slow.all() == ["-3", "d", "e"])
    #expect(await fast.all() == ["a", "b", "c", "d", "e"])
  }

  @Test func whoComesLateIsNotToldOfWhatWasBeforeIfThereIsNoHistory() async {
    let hub = EventHub(history: 0)
    let early = hub.events()
    hub.publish("a", "b")

    let late = hub.events()
    hub.publish("c")
    hub.finish()

    #expect(await early.all() == ["a", "b", "c"])
    #expect(await late.all() == ["c"])
  }

  @Test func markerCountsUntilItIsTaken() async {
    let hub = EventHub(history: 0)
    var slow = hub.events(2).makeAsyncIterator()

    hub.publish("a", "b", "c")
    #expect(await slow.next()?.short == "-1")
    hub.publish("d")
    hub.publish("e")
    #expect(await slow.next()?.short == "-2")
    #expect(await slow.next()?.short == "d")
    hub.publish("f")
    hub.finish()

    #expect(await slow.rest() == ["e", "f"])
  }

  @Test func markerHasTheTimeOfTheLastEventDropped() async {
    let hub = EventHub(history: 0)
    var slow = hub.events(1).makeAsyncIterator()

    for time in 1...3 { hub.publish(.ready("a"), at: .seconds(time)) }

    #expect(await slow.next()?.time == .seconds(2))
    #expect(await slow.next()?.time == .seconds(3))
  }

  @Test func markerOfAnEndedObserverHasTheTimeOfItsOwnLastEvent() {
    var buffer = EventBuffer(history: 0)
    var cursor = buffer.makeCursor(capacity: 2)
    for time in 1...2 { _ = buffer.append(RunEvent(time: .seconds(time), .ready("a"))) }

    buffer.finish(&cursor)
    for time in 3...5 { _ = buffer.append(RunEvent(time: .seconds(time), .ready("a"))) }
    buffer.finish(&cursor)
    let marker = buffer.take(&cursor).event

    #expect(marker?.droppedCount == 2)
    #expect(marker?.time == .seconds(2))
    #expect(buffer.isAtEnd(cursor))
  }

  @Test(arguments: [1, 0, -1, .min]) func capacityIsAtLeastOne(capacity: Int) async {
    let hub = EventHub(history: 0)
    let slow = hub.events(capacity)

    hub.publish("a", "b")
    hub.publish(.runEnded(isCancelled: false))
    hub.finish()

    #expect(await slow.all() == ["-2", "end"])
  }

  @Test func hugeCapacityCostsNothingInAdvance() async {
    let hub = EventHub(history: .max)
    let events = hub.events(.max)

    hub.publish("a")
    hub.finish()

    #expect(await events.all() == ["a"])
    #expect(await hub.events(.max).all() == ["a"])
  }

  @Test(arguments: 1...40) func theNewestAreKeptInOrder(capacity: Int) {
    var buffer = EventBuffer(history: 0)
    var cursor = buffer.makeCursor(capacity: capacity)
    var published = 0
    var taken = 0

    for round in 1...60 {
      for _ in 0..<(round * 7 % 23) {
        _ = buffer.append(RunEvent(time: .zero, .ready("\(published)")))
        published += 1
      }
      for _ in 0..<(round * 5 % 19) {
        guard let event = buffer.take(&cursor).event else { break }
        if event.kind == .dropped {
          taken += event.droppedCount
        } else {
          #expect(event.short == "\(taken)")
          taken += 1
        }
      }
      #expect(buffer.count <= capacity)
    }

    while let event = buffer.take(&cursor).event {
      taken += event.kind == .dropped ? event.droppedCount : 1
    }
    #expect(taken == published)
    #expect(buffer.count == 0)
  }

  @Test func whatOnlyALargeBufferKeptGoesWithItsObserver() {
    var buffer = EventBuffer(history: 1)
    let (small, large) = (buffer.makeCursor(capacity: 3), buffer.makeCursor(capacity: 10))
    for number in 0..<10 { _ = buffer.append(RunEvent(time: .zero, .ready("\(number)"))) }
    #expect(buffer.count == 10)

    #expect(buffer.remove(large).map(\.short) == (0..<7).map { "\($0)" })
    #expect(buffer.count == 3)
    #expect(buffer.remove(small).count == 2)
    #expect(buffer.count == 1)
  }

  @Test func lateObserverIsHandedTheHistory() async {
    let hub = EventHub(history: 3)
    hub.publish("a", "b")
    let events = hub.events()

    hub.publish("c")
    hub.finish()

    #expect(await events.all() == ["a", "b", "c"])
    #expect(await hub.events().all() == ["a", "b", "c"])
  }

  @Test func historyKeepsTheNewestAndSaysHowManyWereLost() async {
    let hub = EventHub(history: 2)
    hub.publish("a", "b", "c")
    let events = hub.events(3)

    hub.publish("d", "e")
    hub.publish(.runEnded(isCancelled: false))
    hub.finish()

    #expect(await events.all() == ["-3", "d", "e", "end"])
    #expect(await hub.events().all() == ["-4", "e", "end"])
  }

  @Test func smallBufferStillTakesTheWholeHistory() async {
    let hub = EventHub(history: 3)
    hub.publish("a", "b", "c")

    let events = hub.events(1)
    hub.finish()

    #expect(await events.all() == ["a", "b", "c"])
  }

  @Test(arguments: [0, -1, .min]) func withoutHistoryALateObserverGetsOnlyTheEnd(
    history: Int
  ) async {
    let hub = EventHub(history: history)

    hub.publish("a")
    hub.publish(.runEnded(isCancelled: false))
    hub.finish()

    #expect(await hub.events().all() == [])
  }
}
