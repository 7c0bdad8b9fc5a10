import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ServiceFaultTests {
  private let pond = Pond("services")

  @Test func whatAServiceIsGivenIsCheckedLikeWhatAPebbleIsGiven() async throws {
    pond.service(
      "server", .timeout(.zero), .retry(.attempts(0)), .uses("port", of: 0)
    ) { _ in Issue.record("a faulty pond must not start anything") }
    pond.service("server", .uses("unknown")) { _ in }

    let error = await #expect(throws: PondError.self) { try await pond.run() }
    let faults = try #require(error).faults

    #expect(faults.first == .duplicateName("server", count: 2))
    #expect(
      faults.contains(
        .invalidOption(
          pebble: "server", problem: "has a timeout of 0.0 seconds; it must be longer than zero")))
    #expect(faults.count == 5)
  }

  @Test func aServiceOfAnotherPondInAConditionIsAFault() async throws {
    let stranger = Pond("other").service("stranger") { _ in }
    pond.service("server", when: stranger.succeeded) { _ in }

    let error = await #expect(throws: PondError.self) { try await pond.run() }

    #expect(
      error?.faults == [.foreignPebble("stranger", ofPond: "other", mentionedBy: "server")])
  }
}
