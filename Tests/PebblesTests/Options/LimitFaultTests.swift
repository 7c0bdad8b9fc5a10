import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of invalid limits and runs. All faults are reported together, and nothing is started.
@Suite(.watched) struct LimitFaultTests {
  private static let huge = Int.max

  @Test(arguments: [0, -1, .min])
  func aPondWithRoomForNobodyIsAFault(limit: Int) async {
    let pond = Pond("narrow", maxConcurrent: limit)
    pond.pebble("only") { Issue.record("a faulty pond must not start anything") }

    let problem = "lets at most \(limit) pebbles run at a time; make that 1 or more"
    #expect(pond.faultsOfStart == [.invalidPond(problem: problem)])
    #expect(pond.faultsOfStart.map(\.description) == ["the pond \(problem)"])
    await #expect(throws: PondError.self) { try await pond.run() }
    await #expect(throws: PondError.self) { try await pond.refresh() }
  }

  @Test(
    arguments: [
      ([.uses("c", of: 0)], "gives the resource \"c\" the capacity 0; give it 1 or more"),
      (
        [.uses("c", of: .min)],
        "gives the resource \"c\" the capacity \(Int.min); give it 1 or more"
      ),
      (
        [.uses("c", 0, of: 4)],
        "uses 0 units of the resource \"c\"; use 1 or more"
      ),
      (
        [.uses("c", -3, of: 4)],
        "uses -3 units of the resource \"c\"; use 1 or more"
      ),
      (
        [.uses("c", 5, of: 4)],
        "uses 5 units of the resource \"c\", which has 4; use fewer or raise its capacity"
      ),
      (
        [.uses("c", 3, of: 4), .uses("c", 2)],
        "uses 5 units of the resource \"c\", which has 4; use fewer or raise its capacity"
      ),
      (
        [.uses("c", huge, of: huge), .uses("c")],
        "uses more units than can be counted of the resource \"c\", which has \(huge); "
          + "use fewer or raise its capacity"
      ),
      (
        [.uses("c")],
        "uses the unknown resource \"c\"; give it a capacity in one of the pebbles that use it"
      ),
      ([.uses("", of: 1)], "uses a resource with an empty name; give it one"),
    ] as [([PebbleTrait], String)])
  func aUseThatCannotBeMeantIsAFault(uses: [PebbleTrait], problem: String) {
    let pond = Pond("boot")
    pond.pebble("only", .traits(uses)) {}

    #expect(pond.faultsOfStart == [.invalidOption(pebble: "only", problem: problem)])
    #expect(pond.faultsOfStart.map(\.description) == ["\"only\" \(problem)"])
  }

  @Test func anEmptyKeyIsAFault() {
    let pond = Pond("boot")
    pond.pebble("only", .exclusive("")) {}
    pond.service("service", .exclusive("")) { _ in }

    let problem = "has an empty exclusive key; give it a name"
    #expect(
      pond.faultsOfStart == [
        .invalidOption(pebble: "only", problem: problem),
        .invalidOption(pebble: "service", problem: problem),
      ])
  }

  @Test func capacitiesThatDisagreeAreAFault() {
    let pond = Pond("boot")
    pond.pebble("first", .uses("c", of: 4)) {}
    pond.pebble("second", .uses("c", of: 5)) {}

    #expect(
      pond.faultsOfStart == [
        .invalidOption(
          pebble: "second",
          problem: "gives the resource \"c\" the capacity 5, but \"first\" gives it 4; "
            + "give it only one")
      ])
  }

  @Test(arguments: [-1, Int.min])
  func aHistoryOfLessThanNothingIsAFault(history: Int) {
    let pond = Pond("boot")

    let error = #expect(throws: PondError.self) { try pond.start(eventHistory: history) }

    #expect(
      error?.faults == [
        .invalidRun(problem: "has an event history of \(history); it must be 0 or more")
      ])
  }

  @Test func theLargestNumbersAreNone() async throws {
    let pond = Pond("large", maxConcurrent: .max)
    pond.pebble("a", .uses("c", .max, of: .max), .priority(.max)) {}
    pond.pebble("b", .uses("c", of: .max), .priority(.min)) {}

    let run = try pond.start(eventHistory: .max)

    #expect(try await run.report.isAllSucceeded)
  }

  @Test func allFaultsAreToldTogetherInDefinitionOrder() {
    let pond = Pond("boot", maxConcurrent: 0)
    let stranger = Pond("elsewhere").pebble("stranger") {}
    pond.pebble("first", .timeout(.zero), .uses("c"), when: stranger.succeeded) {}
    pond.pebble("") {}
    pond.pebble("twice", .retry(.attempts(0)), .exclusive("")) {}
    pond.pebble("twice") {}

    let error = #expect(throws: PondError.self) {
      try pond.start(within: .seconds(-1), eventHistory: -1)
    }

    #expect(
      error?.description == """
        the pond "boot" cannot run:
          - the pond lets at most 0 pebbles run at a time; make that 1 or more
          - "first" mentions "stranger", which belongs to the pond "elsewhere"; a pebble can only \
        wait for pebbles of its own pond
          - "first" uses the unknown resource "c"; give it a capacity in one of the pebbles that \
        use it
          - "first" has a timeout of 0.0 seconds; it must be longer than zero
          - the pebble at position 1 has an empty name; give it one
          - 2 pebbles are named "twice"; give each a name of its own
          - "twice" has an empty exclusive key; give it a name
          - "twice" cannot be retried: its attempt count is 0; it must be 1 or more, as the first \
        attempt counts
          - the run has a time limit of -1.0 seconds; it must be longer than zero
          - the run has an event history of -1; it must be 0 or more
        """)
  }

  @Test(arguments: HostileNames.all)
  func hostileNamesStayOnTheirLine(name: String) {
    let pond = Pond(name)
    pond.pebble("a\(name)", .exclusive(""), .uses("c\(name)")) {}

    let error = #expect(throws: PondError.self) { try pond.start() }

    #expect(error?.description.split(separator: "\n").count == 3)
  }
}
