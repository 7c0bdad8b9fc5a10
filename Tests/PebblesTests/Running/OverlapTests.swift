import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that no ready pebble waits for a suspended body. If one did, these runs would never end.
@Suite(.watched) struct OverlapTests {
  @Test(arguments: [2, 30, 1_000])
  func bodiesThatSuspendAreAllUnderWayAtOnce(count: Int) async throws {
    let meeting = Meeting(of: count)
    let pond = Pond("meeting")
    for number in 0..<count { pond.pebble("p\(number)") { await meeting.attend() } }

    let report = try await pond.run()

    #expect(report.isAllSucceeded)
  }

  @Test func aFanOutBehindASuspendedBodyIsUnderWayAtOnce() async throws {
    let gate = Gate()
    let meeting = Meeting(of: 30)
    let pond = Pond("fan-out")
    let slow = pond.pebble("slow") { await gate.passed() }
    let never = pond.pebble("behind") { await meeting.attend() }
    for number in 0..<29 {
      pond.pebble("p\(number)", when: slow.succeeded) { await meeting.attend() }
    }

    let run = try pond.start()
    gate.open()
    let report = try await run.report

    #expect(report.outcome(of: never).isSucceeded)
    #expect(report.isAllSucceeded)
  }

  @Test func whatBecomesReadyWhileAllOthersAreSuspendedStarts() async throws {
    let gate = Gate()
    let pond = Pond("opener")
    for number in 0..<20 { pond.pebble("suspended\(number)") { await gate.passed() } }
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    for number in 0..<5 {
      pond.pebble("waits\(number)", when: first.succeeded) { await gate.passed() }
    }
    pond.pebble("opener", when: second.succeeded) { gate.open() }

    let report = try await pond.run()

    #expect(report.isAllSucceeded)
  }

  @Test func layersOfMeetingsFollowOneAnother() async throws {
    let pond = Pond("layers")
    var above = Condition.always
    for layer in 0..<20 {
      let meeting = Meeting(of: 10)
      let members = (0..<10).map { number in
        pond.pebble("\(layer).\(number)", when: above) { await meeting.attend() }
      }
      above = .all(members.map(\.succeeded))
    }

    let report = try await pond.run()

    #expect(report.isAllSucceeded)
  }

  @Test func aChainGoesOnBesideASuspendedBody() async throws {
    let gate = Gate()
    let pond = Pond("chain")
    pond.pebble("suspended") { await gate.passed() }
    var last = pond.pebble("0") {}
    for number in 1..<1_000 { last = pond.pebble("\(number)", when: last.succeeded) {} }
    pond.pebble("opener", when: last.succeeded) { gate.open() }

    let report = try await pond.run()

    #expect(report.isAllSucceeded)
  }

  @Test func twoRunsOfOnePondCanWaitForEachOther() async throws {
    let meeting = Meeting(of: 2)
    let pond = Pond("both")
    let both = pond.pebble("both") { await meeting.attend() }

    async let first = pond.run()
    async let second = pond.run()

    #expect(try await first.outcome(of: both).isSucceeded)
    #expect(try await second.outcome(of: both).isSucceeded)
  }
}
