import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct EventConcurrencyTests {
  private static let publishers = 4
  private static let eventsEach = 500

  @Test(arguments: [1, 3, 64, 100_000]) func nothingIsLostUncounted(capacity: Int) async {
    let hub = EventHub(history: 0)
    let observers = (0..<4).map { _ in hub.events(capacity) }

    let tallies = await Self.tallies(of: observers, whilePublishingTo: hub)

    for tally in tallies {
      #expect(tally.isInOrder)
      #expect(tally.received + tally.dropped == Self.publishers * Self.eventsEach)
      #expect(tally.hasEnded)
    }
  }

  @Test(arguments: [1, 7, 100_000]) func observersThatComeLateCountTheHistory(
    history: Int
  ) async {
    let hub = EventHub(history: history)

    await withTaskGroup(of: Tally.self) { group in
      for publisher in 0..<Self.publishers {
        group.addTask {
          Self.publish(from: publisher, to: hub)
          return await Tally(hub.events(2))
        }
      }
      for _ in 0..<8 { group.addTask { await Tally(hub.events(1)) } }
      group.addTask {
        await Tally(hub.events(), endingAfter: 100)
      }
      group.addTask {
        await Self.end(hub, afterPublished: hub.events())
      }
      for await tally in group {
        #expect(tally.isInOrder)
        guard tally.hasEnded else { continue }
        #expect(tally.received + tally.dropped == Self.publishers * Self.eventsEach)
      }
    }
  }

  @Test func observersComeAndGoWhileEventsArePublished() async {
    let hub = EventHub(history: 0)
    let whole = hub.events(1)

    await withTaskGroup(of: Tally.self) { group in
      for publisher in 0..<Self.publishers {
        group.addTask {
          Self.publish(from: publisher, to: hub)
          return Tally()
        }
      }
      for length in 1...50 {
        group.addTask { await Tally(hub.events(length % 5), endingAfter: length) }
      }
      group.addTask { await Self.end(hub, afterPublished: whole) }
      for await tally in group { #expect(tally.isInOrder) }
    }

    #expect(!hub.hasObservers)
  }

  @Test func cancelledObserverEndsAndUnsubscribes() async {
    let hub = EventHub(history: 0)
    let events = hub.events()
    let isListening = Gate()
    let observer = Task {
      var names: [String] = []
      for await event in events {
        names.append(event.short)
        isListening.open()
      }
      return names
    }
    hub.publish("a")
    await isListening.passed()

    observer.cancel()

    #expect(await observer.value == ["a"])
    #expect(!hub.hasObservers)
  }

  @Test func cancelledTaskReceivesNothing() async {
    let hub = EventHub(history: 0)
    let events = hub.events()
    hub.publish("a")
    let gate = Gate()
    let observer = Task {
      await gate.passed()
      return await events.all()
    }

    observer.cancel()
    gate.open()

    #expect(await observer.value == [])
    #expect(!hub.hasObservers)
  }

  @Test func cancellationEventsAndTheEndMayMeet() async {
    for round in 0..<2_000 {
      let hub = EventHub(history: 0)
      let events = hub.events(1)
      let observer = Task { await events.all() }

      await withTaskGroup { group in
        group.addTask { observer.cancel() }
        group.addTask { hub.publish("a") }
        group.addTask { round.isMultiple(of: 2) ? hub.finish() : hub.publish("b") }
      }

      let names = await observer.value
      #expect(names.count <= 2)
      hub.finish()
    }
  }

  @Test @MainActor func waitingStaysOnTheActorOfTheObserver() async {
    let hub = EventHub(history: 0)
    let events = hub.events()
    var names: [String] = []
    let observer = Task { @MainActor in
      for await event in events { names.append(event.short) }
    }

    await Task { @MainActor in hub.publish("a") }.value
    hub.publish("b")
    hub.finish()
    await observer.value

    #expect(names == ["a", "b"])
  }

  @Test @MainActor func twoTasksMayWaitOnOneIteration() async {
    let hub = EventHub(history: 0)
    let iterator = hub.events().makeAsyncIterator()
    let observers = (0..<2).map { _ in
      Task { @MainActor in
        var iterator = iterator
        return await iterator.next(isolation: #isolation)?.short
      }
    }

    await Task { @MainActor in hub.publish("a") }.value
    hub.finish()

    var names: [String?] = []
    for observer in observers { names.append(await observer.value) }
    #expect(names.compactMap(\.self) == ["a"])
  }
}

extension EventConcurrencyTests {
  private static func publish(from publisher: Int, to hub: EventHub) {
    for number in 1...eventsEach {
      hub.publish(.attemptStarted("\(publisher)", attempt: number))
    }
  }

  private static func tallies(
    of observers: [RunEvents], whilePublishingTo hub: EventHub
  ) async -> [Tally] {
    await withTaskGroup(of: Tally.self) { group in
      for events in observers { group.addTask { await Tally(events) } }
      await withTaskGroup { publishing in
        for publisher in 0..<publishers {
          publishing.addTask { publish(from: publisher, to: hub) }
        }
      }
      hub.publish(.runEnded(isCancelled: false))
      hub.finish()
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Ends the run once all publishers have finished, and returns what the observer counted.
  private static func end(_ hub: EventHub, afterPublished events: RunEvents) async -> Tally {
    let tally = await Tally(events, endingAfter: publishers * eventsEach)
    hub.publish(.runEnded(isCancelled: false))
    hub.finish()
    return tally
  }
}

/// The events that one observer has counted. Each publisher numbers its events.
private struct Tally {
  var received = 0
  var dropped = 0
  var isInOrder = true
  var hasEnded = false

  init() {}

  /// Counts the events until they end, or until `most` events have been received or dropped.
  init(_ events: RunEvents, endingAfter most: Int = .max) async {
    var newest: [String: Int] = [:]
    for await event in events {
      switch event.happening {
      case .attemptStarted(let publisher, let number):
        received += 1
        isInOrder = isInOrder && newest[publisher, default: 0] < number && !hasEnded
        newest[publisher] = number
      case .dropped(let count): dropped += count
      case .runEnded: hasEnded = true
      case .ready, .attemptFailed, .settled, .serviceEnded, .stalled, .serviceRestarted,
        .shutdownBegan, .stopRequested, .teardownStarted, .teardownEnded, .shutdownEnded:
        isInOrder = false
      }
      if received + dropped >= most { break }
    }
  }
}
