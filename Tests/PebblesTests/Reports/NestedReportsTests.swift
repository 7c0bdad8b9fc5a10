import Testing

@testable import Pebbles

/// Tests of the rule by which reports of nested runs are dropped to make room for others.
@Suite(.watched) struct NestedReportsTests {
  private var nested = NestedReports()

  @Test mutating func theOldestOfThePebbleMakesRoomForItsNext() async throws {
    let report = try await Pond("inner").run()
    _ = nested.add(report, weight: 1, of: 0)
    for _ in 0..<NestedReports.mostOfPebble {
      let gone = nested.add(report, weight: 1, of: 1)
      #expect(gone.isEmpty)
    }

    let gone = nested.add(report, weight: 1, of: 1)

    #expect(gone.count == 1)
    #expect([0, 1, 2].map { nested.reports(of: $0).count } == [1, NestedReports.mostOfPebble, 0])
    #expect([0, 1, 2].map { nested.droppedCount(of: $0) } == [0, 1, 0])
  }

  @Test mutating func asManyAsARunMayKeepAreKept() async throws {
    let report = try await Pond("inner").run()

    let none = nested.add(report, weight: 1, of: 0) + nested.add(report, weight: 999, of: 1)
    #expect(none.isEmpty)
    let gone = nested.add(report, weight: 1, of: 2)

    #expect(gone.count == 1)
    #expect(nested.weight == NestedReports.most)
    #expect([0, 1, 2].map { nested.droppedCount(of: $0) } == [1, 0, 0])
  }

  /// Checks that a report that was dropped to make room for another pebble no longer counts toward
  /// the limit of its own pebble.
  @Test mutating func whatWasDroppedForTheRunDoesNotCountForItsPebble() async throws {
    let report = try await Pond("inner").run()
    _ = nested.add(report, weight: 50, of: 0)
    for _ in 1..<NestedReports.mostOfPebble { _ = nested.add(report, weight: 1, of: 0) }
    #expect(nested.add(report, weight: 852, of: 1).count == 1)

    let gone = nested.add(report, weight: 1, of: 0)

    #expect(gone.isEmpty)
    #expect([0, 1].map { nested.droppedCount(of: $0) } == [1, 0])
  }
}
