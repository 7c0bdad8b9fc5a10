import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the threads on which bodies are called in runs of few pebbles.
@Suite(.watched) struct SmallRunTests {
  private let pond = Pond("small")

  @Test(arguments: [1, 2, 32])
  func anAwaitedOneBeginsOnTheThreadOfItsCaller(count: Int) async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    var pebbles: [Pebble<ThreadIdentity>] = []
    for place in 0..<count {
      let condition = pebbles.last?.succeeded ?? .always
      pebbles.append(pond.pebble("p\(place)", when: condition) { ThreadIdentity.current })
    }

    let caller = ThreadIdentity.current
    let report = try await pond.run()

    #expect(pebbles.allSatisfy { report[$0] == caller })
  }

  /// Checks which runs begin on the thread of their caller: only awaited runs of at most 32
  /// pebbles. The caller is a separate thread, on which no task can run otherwise.
  @Test(arguments: [(32, true), (33, true), (1, false)])
  func oneThatIsLargerOrNotAwaitedBeginsElsewhere(count: Int, isAwaited: Bool) async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let places = Logbook<ThreadIdentity>()
    var last: Pebble<Void>?
    for place in 0..<count {
      last = pond.pebble("p\(place)", when: last?.succeeded ?? .always) { places.note(.current) }
    }
    var options = RunOptions()
    if isAwaited { options.isAwaited = true }
    let core = RunCore(pond.program(), RunClock(ManualClock()), options)
    let caller = Promise<ThreadIdentity>()

    let isThere = SystemThread.start(named: "caller") {
      caller.fulfill(.current)
      core.start()
    }
    #expect(isThere)
    _ = await core.life.end.value()

    let expected = await caller.value()
    let isSmall = isAwaited && count <= 32
    #expect(places.entries.map { $0 == expected } == Array(repeating: isSmall, count: count))
  }

  @Test func oneThatIsNotAwaitedHoldsNobodyUp() async throws {
    let caller = ThreadIdentity.current
    let isStarted = Gate()
    let first = pond.pebble("first") { ThreadIdentity.current != caller || isStarted.isOpen }

    let run = try pond.start()
    isStarted.open()

    #expect(try await run.report[first] == true)
  }

  @Test(arguments: [false, true])
  func bodiesThatFollowEachOtherAreCalledInOneTask(isAwaited: Bool) async throws {
    var pebbles: [Pebble<Int>] = []
    for place in 0..<10 {
      let condition = pebbles.last?.succeeded ?? .always
      pebbles.append(
        pond.pebble("p\(place)", when: condition) {
          withUnsafeCurrentTask { $0?.hashValue ?? 0 }
        })
    }

    let report = isAwaited ? try await pond.run() : try await pond.start().report

    #expect(report.isAllSucceeded)
    #expect(Set(pebbles.map { report[$0] }).count == 1)
  }

  @Test func itGoesOnElsewhereOnceABodyHasSuspended() async throws {
    let gate = Gate()
    let suspended = pond.pebble("suspended") { await gate.passed() }
    let opening = pond.pebble("opening") { gate.open() }
    let after = pond.pebble("after", when: suspended.succeeded && opening.succeeded) {
      PebbleContext.current?.pebble
    }

    let report = try await pond.run()

    #expect(report[after] == "after")
  }

  /// Checks that every body finds its own pebble in its context. On the thread of the caller, the
  /// context is set for each body separately; elsewhere, it is set by the task of the runner.
  @Test(arguments: [false, true])
  func everyBodyKnowsWhichPebbleItIs(isAwaited: Bool) async throws {
    var pebbles: [Pebble<String?>] = []
    for place in 0..<20 {
      let condition = pebbles.last?.succeeded ?? .always
      pebbles.append(
        pond.pebble("p\(place)", when: condition) {
          // A task that is left behind must not become part of what comes after.
          Task { await Task.yield() }
          return PebbleContext.current?.pebble
        })
    }

    let report = isAwaited ? try await pond.run() : try await pond.start().report

    #expect(pebbles.map { report[$0] } == (0..<20).map { "p\($0)" })
  }
}
