import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of ponds whose conditions form cycles.
@Suite(.watched) struct StallTests {
  private let pond = Pond("stalled")

  private func pebble(_ name: String) -> Pebble<Void> {
    pond.pebble(name) {}
  }

  @Test(arguments: [99, 100, 101, 150])
  func observersAreToldAHundredOfThoseThatStall(count: Int) async throws {
    let pebbles = (0..<count).map { number in pond.pebble("p\(number)") {} }
    for (place, pebble) in pebbles.enumerated() {
      pebble.ready = pebbles[(place + 1) % count].succeeded
    }

    let run = try pond.start(eventHistory: 1_000)
    _ = try await run.report

    var counts: [Int] = []
    for await event in run.events where event.kind == .stalled {
      counts.append(event.pebbles.count)
    }
    #expect(counts == [min(count, 100)])
  }

  @Test func twoPebblesThatWaitForEachOtherAreSkippedTogether() async throws {
    let (a, b) = (pebble("a"), pebble("b"))
    a.ready = b.succeeded
    b.ready = a.succeeded

    let report = try await pond.run()

    #expect(report.outcome(of: a).skipReason == .stalled(waitingOn: ["b"]))
    #expect(report.outcome(of: b).skipReason == .stalled(waitingOn: ["a"]))
  }

  @Test func pebbleThatWaitsForItselfIsSkipped() async throws {
    let a = pebble("a")
    a.ready = a.settled

    let report = try await pond.run()

    #expect(report.outcome(of: a).skipReason == .stalled(waitingOn: ["a"]))
  }

  /// Tests this pond, in which `a` needs `root` OR `b`, and `b` needs `a`:
  ///
  /// ```
  /// root ──▶ a ◀──▶ b
  /// ```
  @Test func anOrOpensACycle() async throws {
    let (root, a, b) = (pebble("root"), pebble("a"), pebble("b"))
    a.ready = root.succeeded || b.succeeded
    b.ready = a.succeeded

    let report = try await pond.run()

    #expect(report.outcome(of: a).isSucceeded)
    #expect(report.outcome(of: b).isSucceeded)
  }

  @Test func pebbleBehindACycleRunsWhenTheCycleIsSkipped() async throws {
    let (a, b, rescue) = (pebble("a"), pebble("b"), pebble("rescue"))
    a.ready = b.succeeded
    b.ready = a.succeeded
    rescue.ready = a.skipped && b.skipped

    let report = try await pond.run()

    #expect(report.outcome(of: rescue).isSucceeded)
  }

  @Test func skippingOneCycleCanOpenTheNext() async throws {
    let (a, b, c) = (pebble("a"), pebble("b"), pebble("c"))
    a.ready = a.succeeded
    b.ready = a.skipped || c.succeeded
    c.ready = b.succeeded

    let report = try await pond.run()

    #expect(report.outcome(of: a).isSkipped)
    #expect(report.outcome(of: b).isSucceeded)
    #expect(report.outcome(of: c).isSucceeded)
  }

  @Test func atomBelowADecidedGateTiesNoCycle() async throws {
    let (done, a, b) = (pebble("done"), pebble("a"), pebble("b"))
    // The OR is decided by `done`, so a does not wait for b, and is skipped alone.
    a.ready = (done.succeeded || b.succeeded) && a.succeeded
    b.ready = a.skipped

    let report = try await pond.run()

    #expect(report.outcome(of: a).skipReason == .stalled(waitingOn: ["a"]))
    #expect(report.outcome(of: b).isSucceeded)
  }

  /// Checks a row of cycles, each of which can be found only after the previous one is skipped. The
  /// time would be quadratic if all waiting pebbles were searched for each cycle.
  @Test func longRowOfCyclesIsSettledInOnePass() async throws {
    let pebbles = (0..<Thoroughness.size(50_000)).map { pebble("p\($0)") }
    pebbles[0].ready = pebbles[0].succeeded
    for (before, pebble) in zip(pebbles, pebbles.dropFirst()) {
      pebble.ready = before.skipped && pebble.succeeded
    }

    let report = try await pond.run()

    #expect(report.records.allSatisfy { $0.outcome.isSkipped })
  }

  @Test func largeRingIsSkippedAsAWhole() async throws {
    let pebbles = (0..<Thoroughness.size(20_000)).map { pebble("p\($0)") }
    for (index, pebble) in pebbles.enumerated() {
      pebble.ready = pebbles[(index + 1) % pebbles.count].succeeded
    }

    let report = try await pond.run()

    #expect(
      report.outcome(of: pebbles[7]).skipReason == .stalled(waitingOn: ["p8"]))
    #expect(report.records.allSatisfy { $0.outcome.isSkipped })
  }

  /// Checks that a condition shared by many pebbles is searched only once. The time would be
  /// quadratic in their number if it were searched for each pebble.
  @Test func cycleAroundOneSharedConditionIsSettledInOnePass() async throws {
    let pebbles = (0..<Thoroughness.size(20_000)).map { pebble("p\($0)") }
    let shared = Condition.all(pebbles.map(\.succeeded))
    for pebble in pebbles { pebble.ready = shared }

    let report = try await pond.run()

    #expect(report.records.allSatisfy { $0.outcome.isSkipped })
    #expect(report.outcome(of: pebbles[5]).skipReason?.waitingOn.count == 100)
  }

  /// Checks that the settled operands of a shared condition are searched only once. The time would
  /// be quadratic in their number if they were searched for each pebble.
  @Test func whatASharedConditionStillWaitsForIsLookedUpOnce() async throws {
    let count = Thoroughness.size(50_000)
    let settled = (0..<count).map { pebble("settled \($0)") }
    let pebbles = (0..<count).map { pebble("p\($0)") }
    let last = pebble("last")
    let shared = Condition.all(settled.map(\.succeeded) + [last.succeeded])
    for pebble in pebbles { pebble.ready = shared }
    last.ready = .all(pebbles.map(\.settled))

    let report = try await pond.run()

    #expect(pebbles.allSatisfy { report.outcome(of: $0).skipReason?.waitingOn == ["last"] })
  }

  /// Checks that the reason for a stall names the pebble that is waited for, regardless of the
  /// number of settled pebbles that the condition also reads.
  @Test(arguments: [1, 999, 1_000, 1_001, 3_000])
  func aPebbleThatStallsWaitsForAtLeastOne(count: Int) async throws {
    let others = (0..<count).map { pebble("other \($0)") }
    let (a, b) = (pebble("a"), pebble("b"))
    a.ready = .all(others.map { $0.failed || b.succeeded })
    b.ready = a.succeeded

    let report = try await pond.run()

    #expect(report.outcome(of: a).skipReason == .stalled(waitingOn: ["b"]))
    #expect(report.outcome(of: b).skipReason == .stalled(waitingOn: ["a"]))
  }
}
