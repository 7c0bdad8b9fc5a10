import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests that publishing an event only appends it to a log, regardless of the number of observers.
@Suite(.watched) struct ManyObserverTests {
  @Test(arguments: [1, 100, Thoroughness.size(10_000)])
  func publishingMakesOneTaskAndResumesNoObserver(count: Int) async {
    let (own, theirs) = (CountingExecutor(), CountingExecutor())
    let hub = EventHub(history: 0, executor: own)
    let observers = (0..<count).map { _ in
      let events = hub.events()
      return Task(executorPreference: theirs) { await events.all() }
    }
    await theirs.runUntilIdle()
    let before = theirs.enqueued

    for number in 0..<100 { hub.publish("\(number)") }

    #expect(own.enqueued == 1)
    #expect(theirs.enqueued == before)

    hub.finish()
    while own.waiting + theirs.waiting > 0 {
      await own.runUntilIdle()
      await theirs.runUntilIdle()
    }
    for observer in observers { #expect(await observer.value.count == 100) }
  }

  @Test func waitingObserversAreWokenAFewAtATime() async {
    let (own, theirs) = (CountingExecutor(), CountingExecutor())
    let hub = EventHub(history: 0, executor: own)
    let observers = (0..<1_000).map { _ in
      let events = hub.events()
      return Task(executorPreference: theirs) { await events.all() }
    }
    await theirs.runUntilIdle()
    hub.publish("a")

    own.runNext()

    #expect((1...100).contains(theirs.waiting))

    hub.finish()
    while own.waiting + theirs.waiting > 0 {
      own.runNext()
      await theirs.runUntilIdle()
    }
    for observer in observers { #expect(await observer.value == ["a"]) }
  }

  @Test func theLogKeepsNoMoreThanTheSlowestMayStillTake() {
    var buffer = EventBuffer(history: 3)
    var slow = buffer.makeCursor(capacity: 5)
    var quick = buffer.makeCursor(capacity: 1_000)
    for number in 0..<100 {
      _ = buffer.append(RunEvent(time: .seconds(number), .ready("\(number)")))
      while buffer.take(&quick).event != nil {}
    }
    #expect(buffer.count <= 1_000)

    let (marker, _) = buffer.take(&slow)
    #expect(marker?.droppedCount == 95)
    #expect(marker?.time == .seconds(94))
    #expect(buffer.count == 5)

    #expect(buffer.remove(slow).count == 2)
    #expect(buffer.count == 3)
    _ = buffer.remove(quick)
    #expect(buffer.count == 3)
  }

  @Test func eventsThatAllHaveTakenAreLetGoOf() async {
    final class Witness: Sendable {}
    struct Heavy: Error { let witness: Witness }
    let hub = EventHub(history: 0)
    var iterators = (0..<3).map { _ in hub.events().makeAsyncIterator() }
    weak var witness: Witness?
    do {
      let heavy = Witness()
      witness = heavy
      hub.publish(.attemptFailed("a", attempt: 1, Heavy(witness: heavy)))
    }

    for index in iterators.indices {
      #expect(witness != nil)
      _ = await iterators[index].next()
    }

    #expect(witness == nil)
  }

  // MARK: Observers inside of a service

  @Test func observersInsideOfAServiceEndOnceTheyHaveReadWhatThereWas() async {
    let hub = EventHub(history: 0)
    let (stop, otherStop) = (Promise<Void>(), Promise<Void>())
    let inside = hub.subscribe(bufferingNewest: 10) { [stop] }
    let other = hub.subscribe(bufferingNewest: 10) { [otherStop] }
    let outside = hub.events()
    hub.publish("a", "b")

    stop.fulfill(())
    hub.publish("c")

    #expect(await inside.all() == ["a", "b"])
    hub.finish()
    #expect(await other.all() == ["a", "b", "c"])
    #expect(await outside.all() == ["a", "b", "c"])
  }

  @Test func anObserverThatWaitsInsideOfAServiceIsWoken() async {
    let (hub, stop) = (EventHub(history: 0), Promise<Void>())
    let events = hub.subscribe(bufferingNewest: 10) { [stop] }
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

    stop.fulfill(())

    #expect(await observer.value == ["a"])
  }

  @Test func whoBeginsInsideOfAServiceThatWasAskedToStopGetsTheHistory() async {
    let (hub, stop) = (EventHub(history: 2), Promise<Void>())
    hub.publish("a", "b", "c")
    stop.fulfill(())

    let late = hub.subscribe(bufferingNewest: 10) { [stop] }
    hub.publish("d")

    #expect(await late.all() == ["-1", "b", "c"])
    hub.finish()
  }

  /// Checks the number of dropped events that is reported to a slow observer inside two services,
  /// one of which is asked to stop later than the other.
  @Test func aSlowObserverInsideOfAServiceIsToldWhatItLost() async {
    let (hub, stop, later) = (EventHub(history: 0), Promise<Void>(), Promise<Void>())
    let slow = hub.subscribe(bufferingNewest: 2) { [stop, later] }
    hub.publish("a", "b", "c")
    stop.fulfill(())
    hub.publish("d", "e", "f", "g")
    later.fulfill(())

    #expect(await slow.all() == ["-3"])
    hub.finish()
  }

  @Test func anIterationIsInsideOfTheServiceThatBeginsIt() async throws {
    let pond = Pond("streams")
    let handover = Promise<RunEvents>()
    pond.service("http") { ready in
      let events = await handover.value()
      ready()
      // The only iteration of a sequence that was made outside. The service ends with it.
      for await _ in events {}
    }

    let run = try pond.start()
    handover.fulfill(run.events)
    _ = try await run.report

    try await run.shutdown().check()
  }

  @Test func anObserverIsInsideOfTheServiceWhoseHandlerItIs() async throws {
    let pond = Pond("streams")
    let handover = Promise<Run>()
    let (isUp, handlerEnded) = (Gate(), Gate())
    let http = pond.service("http") { ready in
      let events = await handover.value().events
      ready()
      // As a handler of requests does.
      await withTaskGroup { group in
        group.addTask {
          isUp.open()
          for await _ in events {}
          handlerEnded.open()
        }
      }
      try? await untilCancelled()
    }

    let run = try pond.start()
    handover.fulfill(run)
    _ = try await run.report
    await isUp.passed()
    let place = Int(http.reference.index)
    try #require(run.core.life.read { $0.attempts[place]?.call }).stop.fulfill(())
    await handlerEnded.passed()

    _ = try await run.shutdown()
  }
}

/// An executor that counts its jobs, and runs them only when a test asks for it.
private final class CountingExecutor: TaskExecutor {
  private let jobs = Mutex<(waiting: [UnownedJob], count: Int)>(([], 0))

  var enqueued: Int { jobs.withLock { $0.count } }
  var waiting: Int { jobs.withLock { $0.waiting.count } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock {
      $0.waiting.append(job)
      $0.count += 1
    }
  }

  func runNext() {
    let job = jobs.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }

  func runUntilIdle() async {
    while waiting > 0 {
      runNext()
      await Task.yield()
    }
  }
}
