import PebblesTestSupport
import Testing

@testable import Pebbles

/// Where the bodies of runs of few pebbles are called.
@Suite(.watched) struct SmallRunTests {
  private let pond = Pond("small")

  @Test func anAwaitedOneBeginsOnTheThreadOfItsCaller() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let first = pond.pebble("first") { ThreadIdentity.current }
    let second = pond.pebble("second", when: first.succeeded) { ThreadIdentity.current }

    let caller = ThreadIdentity.current
    let report = try await pond.run()

    #expect(report[first] == caller)
    #expect(report[second] == caller)
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

  /// Bodies are bound to their pebbles one by one there, and by the task of the runner elsewhere.
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
