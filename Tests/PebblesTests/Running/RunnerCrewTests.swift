import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of the number of runners of a run, also for machines with more processors than this one.
@Suite(.watched) struct RunnerCrewTests {
  @Test func thereAreAsManySparesAsRunnersAtWorkUpToTheProcessors() {
    let crew = ProcessorCount.$online.withValue(6) { RunnerCrew() }
    // One is at work from the start.
    #expect(Self.reserved(of: crew) == 1)

    Self.join(crew)
    #expect(crew.workingCount == 2)
    #expect(Self.reserved(of: crew) == 2)

    Self.join(crew)
    Self.join(crew)
    #expect(crew.workingCount == 4)
    // Two processors are left, not four.
    #expect(Self.reserved(of: crew) == 2)

    Self.join(crew)
    Self.join(crew)
    #expect(crew.workingCount == 6)
    // One all the same: bodies may suspend.
    #expect(Self.reserved(of: crew) == 1)
  }

  @Test func whoHasAddedToTheQueueAddsNoSpareBeyondThose() {
    let crew = ProcessorCount.$online.withValue(64) { RunnerCrew() }

    #expect(crew.reserveSpare(isUrgent: true))
    #expect(!crew.reserveSpare(isUrgent: true))
    crew.releaseSpare()
    #expect(crew.reserveSpare(isUrgent: true))
  }

  @Test(arguments: [1, 2, 64]) func everyPebbleRunsOnceHoweverManyProcessorsThereAre(
    count: Int
  ) async throws {
    try await ProcessorCount.$online.withValue(count) {
      for round in 0..<40 {
        let calls = (0..<200).map { _ in Counter() }
        let pond = Pond("round \(round)")
        var above: [Pebble<Void>] = []
        for layer in 0..<10 {
          let condition = Condition.any(above.map(\.settled))
          above = (0..<20).map { number in
            pond.pebble(
              "\(layer).\(number)", when: layer == 0 ? .always : condition
            ) {
              calls[layer * 20 + number].increment()
              if (round + number) % 3 == 0 { await Task.yield() }
            }
          }
        }

        let report = try await pond.run()

        #expect(report.isAllSucceeded)
        #expect(calls.allSatisfy { $0.count == 1 })
      }
    }
  }

  @Test func withManyProcessorsNothingWaitsBehindASuspendedBodyEither() async throws {
    let report = try await ProcessorCount.$online.withValue(64) {
      let meeting = Meeting(of: 500)
      let pond = Pond("meeting")
      for number in 0..<500 { pond.pebble("p\(number)") { await meeting.attend() } }
      return try await pond.run()
    }

    #expect(report.isAllSucceeded)
  }

  /// Returns the number of spares that can be reserved now. The spares are released again.
  private static func reserved(of crew: RunnerCrew) -> Int {
    var count = 0
    while crew.reserveSpare(isUrgent: false) { count += 1 }
    for _ in 0..<count { crew.releaseSpare() }
    return count
  }

  /// Makes a spare start working.
  private static func join(_ crew: RunnerCrew) {
    #expect(crew.reserveSpare(isUrgent: false))
    #expect(crew.join())
    crew.releaseSpare()
  }
}

private final class Counter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .relaxed) }

  func increment() { value.add(1, ordering: .relaxed) }
}
