import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of findings about pebbles that wait for each other in cycles.
@Suite struct CycleLintTests {
  private let pond = Pond("boot")

  private func circuit() throws -> Circuit { Circuit(try pond.model().pond) }

  /// Adds pebbles each of which waits for the next one. The last one waits for the first.
  @discardableResult
  private func addRing(of count: Int) -> [Pebble<Void>] {
    let ring = (0..<count).map { pond.pebble("p\($0)") {} }
    for (place, pebble) in ring.enumerated() { pebble.ready = ring[(place + 1) % count].completed }
    return ring
  }

  // MARK: The shortest

  @Test func aPebbleThatWaitsForItselfIsAShorterCycleThanAPair() throws {
    let pebbles = ["a", "b", "c"].map { pond.pebble($0) {} }
    pebbles[0].ready = pebbles[1].completed
    pebbles[1].ready = pebbles[0].completed && pebbles[2].completed
    pebbles[2].ready = pebbles[2].completed && pebbles[0].completed

    #expect(CycleSearch(circuit: try circuit()).shortestCycle(in: [0, 1, 2]) == [2])
  }

  @Test func ofSeveralThatAreTheShortestTheFirstIsShown() throws {
    let pebbles = ["a", "b", "c", "d", "x", "y"].map { pond.pebble($0) {} }
    pebbles[0].ready = pebbles[1].completed
    pebbles[1].ready = pebbles[0].completed && pebbles[4].completed
    pebbles[4].ready = pebbles[2].completed
    pebbles[2].ready = pebbles[3].completed
    pebbles[3].ready = pebbles[2].completed && pebbles[5].completed
    pebbles[5].ready = pebbles[0].completed

    let circuit = try circuit()
    #expect(circuit.cycles == [[0, 1, 2, 3, 4, 5]])
    #expect(CycleSearch(circuit: circuit).shortestCycle(in: [0, 1, 2, 3, 4, 5]) == [0, 1])
  }

  // MARK: Findings

  /// Checks that pebbles that stall together are reported as one finding, in whichever direction
  /// the cycle runs.
  @Test(arguments: [1, 3])
  func whatStallsTogetherIsOneFinding(step: Int) {
    let pebbles = (0..<4).map { pond.pebble("p\($0)") {} }
    for place in 0..<4 { pebbles[place].ready = pebbles[(place + step) % 4].completed }

    #expect(pond.lint().map(\.pebbles) == [["p0", "p1", "p2", "p3"]])
  }

  /// Checks that two pebbles that wait only for a third one, and this third one, which waits for
  /// both, are reported as one finding.
  @Test func soIsWhatWaitsForOneInTheMiddle() {
    let pebbles = (0..<3).map { pond.pebble("p\($0)") {} }
    pebbles[0].ready = pebbles[1].completed && pebbles[2].completed
    for place in 1...2 { pebbles[place].ready = pebbles[0].completed }

    #expect(pond.lint().map(\.pebbles) == [["p0", "p1", "p2"]])
  }

  @Test func aCycleThatIsAlwaysOpenedIsSaidToBe() {
    let key = pond.pebble("key") {}
    let left = pond.pebble("left") {}
    let right = pond.pebble("right", when: left.succeeded) {}
    left.ready = key.completed || right.completed

    #expect(
      pond.lint().of(.cycle).map(\.advice) == [
        "leave it if it is meant; every scenario breaks it"
      ])
  }

  /// Checks a branch that is true only in scenarios in which its own pebble stalls.
  @Test func aBranchThatIsTrueOnlyAfterAStallIsUnreachable() {
    let start = pond.pebble("start") {}
    let left = pond.pebble("left") {}
    let right = pond.pebble("right", when: left.completed) {}
    left.ready = start.succeeded || right.skipped

    #expect(
      pond.lint().of(.unreachableBranch).map(\.sentence) == [
        "a branch of the condition of left is unreachable: right.skipped is never true together "
          + "with the rest"
      ])
  }

  @Test func aPebbleOfACycleThatMayBeDisabledCanAlwaysRunToo() {
    let key = pond.pebble("key") {}
    let left = pond.pebble("left", .enabled { true }) {}
    let right = pond.pebble("right", when: left.succeeded) {}
    left.ready = key.succeeded || key.failed || right.completed

    #expect(pond.lint().of(.alwaysTrue).map(\.pebbles) == [["left"]])
  }

  @Test func aCycleThatOnlyADisabledPebbleLeavesShutIsShownWithIt() {
    let start = pond.pebble("start") {}
    let opener = pond.pebble("opener", .enabled { true }) {}
    let left = pond.pebble("left") {}
    let right = pond.pebble("right", when: left.completed) {}
    opener.ready = start.completed || right.completed
    left.ready = right.completed || opener.completed

    let finding = pond.lint().of(.cycle).first

    #expect(finding?.example?.disabled == ["opener"])
    #expect(finding?.example?.failing == [])
  }

  // MARK: Bounds

  @Test(arguments: [4_000, 4_001])
  func cyclesOfUpToFourThousandRowsAreWorkedOut(count: Int) throws {
    addRing(of: count)
    let model = try pond.model()

    let outcomes = CycleOutcomes(model, Circuit(model.pond)).outcomes

    #expect(outcomes.count == (count <= 4_000 ? count : 0))
  }

  /// Checks that the analysis of cycles tries to omit operands only if the number of rows times the
  /// number of operands is at most 40,000.
  @Test(arguments: [200, 201])
  func operandsOfCyclesAreLeftOutUpToFortyThousandSteps(count: Int) throws {
    addRing(of: count)
    let model = try pond.model()

    let outcomes = CycleOutcomes(model, Circuit(model.pond))

    #expect(outcomes.canOmitOperands(in: 0) == (count <= 200))
  }

  @Test func whateverRoomThereIsAnAnswerIsRight() throws {
    let ring = addRing(of: 4)
    for (place, pebble) in ring.enumerated() {
      let keys = ["k", "j"].map { pond.pebble("\($0)\(place)") {}.succeeded }
      pebble.ready = (keys[0] && keys[1]) || ring[(place + 1) % 4].completed
    }
    let model = try pond.model()
    let circuit = Circuit(model.pond)
    let omission = SymbolicRun.Omission(gate: 0, place: 1)
    var whole = CycleOutcomes(model, circuit)
    let answer = whole.changes(in: 0, omitting: omission)
    let expected = try #require(answer)

    var hasAnswered: Set<Bool> = []
    for mostNodes in 1...400 {
      var outcomes = CycleOutcomes(model, circuit, mostNodes: mostNodes)
      guard outcomes.outcomes.count == 4 else { continue }
      let changes = outcomes.changes(in: 0, omitting: omission)
      hasAnswered.insert(changes != nil)
      if let changes { #expect(changes == expected, "with \(mostNodes) nodes") }
    }

    #expect(!expected.isEmpty && hasAnswered == [false, true])
  }

  @Test func ofACycleThatIsNotWorkedOutNothingIsClaimedAndOfTheRestAllIs() {
    let keys = (0..<64).map { pond.pebble("key \($0)") {} }
    let left = pond.pebble("left") {}
    let right = pond.pebble("right", when: left.completed) {}
    // More gates than a cycle may have.
    left.ready = .any(
      keys.flatMap { one in
        keys.map { right.completed && one.succeeded && $0.failed }
      })
    let cache = pond.pebble("cache") {}
    let network = pond.pebble("network") {}
    pond.pebble("show", when: cache.succeeded || network.succeeded) {}

    let lint = pond.lint(also: [.unhandledFailure])

    #expect(
      lint.of(.cycle).map(\.advice) == [
        "leave it if it is meant; whether every scenario breaks it was not decided"
      ])
    #expect(
      lint.about("cache").map(\.sentence) == [
        "no pebble handles the failure of cache if cache and network fail: show is skipped"
      ])
  }
}
