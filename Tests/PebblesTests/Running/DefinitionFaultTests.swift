import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct DefinitionFaultTests {
  private let pond = Pond("boot")
  private let other = Pond("elsewhere")

  @Test func twoPebblesOfOneNameAreAFault() throws {
    pond.pebble("ping") {}
    pond.pebble("ping") {}
    pond.pebble("ping") {}

    #expect(faults == [.duplicateName("ping", count: 3)])
    #expect(
      faults.map(\.description) == [
        "3 pebbles are named \"ping\"; give each a name of its own"
      ])
  }

  @Test func anEmptyNameIsAFault() throws {
    pond.pebble("ping") {}
    pond.pebble("") {}

    #expect(faults == [.emptyName(position: 1)])
    #expect(
      faults.map(\.description) == ["the pebble at position 1 has an empty name; give it one"])
  }

  @Test func aFaultSaysOfWhatKindItIsAndWhere() {
    let kinds: [(PondError.Fault, PondError.Fault.Kind)] = [
      (.duplicateName("ping", count: 3), .duplicateName), (.emptyName(position: 1), .emptyName),
      (.foreignPebble("late", ofPond: "other", mentionedBy: "ping"), .foreignPebble),
      (.invalidOption(pebble: "ping", problem: "is odd"), .invalidOption),
      (.invalidPond(problem: "is odd"), .invalidPond), (.runsItself, .runsItself),
      (.invalidRun(problem: "is odd"), .invalidRun), (.waitsForItself, .waitsForItself),
    ]
    let faults = kinds.map(\.0)

    #expect(faults.map(\.kind) == kinds.map(\.1))
    #expect(faults.map(\.pebble) == ["ping", nil, "ping", "ping", nil, nil, nil, nil])
  }

  @Test func noFaultOfAPebbleWithAnEmptyNameNamesIt() {
    let stranger = other.pebble("stranger") {}
    pond.pebble("", .timeout(.zero), when: stranger.failed) {}

    #expect(Set(faults.map(\.kind)) == [.emptyName, .invalidOption, .foreignPebble])
    #expect(faults.allSatisfy { $0.pebble == nil })
  }

  @Test func aPebbleOfAnotherPondInWhenIsAFault() throws {
    let stranger = other.pebble("stranger") {}
    let own = pond.pebble("own") {}
    pond.pebble("ping", when: own.succeeded && !(stranger.failed || own.failed)) {}

    #expect(faults == [.foreignPebble("stranger", ofPond: "elsewhere", mentionedBy: "ping")])
    #expect(
      faults.map(\.description) == [
        "\"ping\" mentions \"stranger\", which belongs to the pond \"elsewhere\"; "
          + "a pebble can only wait for pebbles of its own pond"
      ])
  }

  @Test func aPebbleOfAnotherPondInNeedsIsAFault() {
    let stranger = other.pebble("stranger") { 1 }
    pond.pebble("ping", needs: stranger) { _ in }

    #expect(faults == [.foreignPebble("stranger", ofPond: "elsewhere", mentionedBy: "ping")])
  }

  @Test func aPebbleOfAnotherPondInReadyIsAFault() {
    let stranger = other.pebble("stranger") { 1 }
    let ping = pond.pebble("ping") {}
    ping.ready = stranger.settled.labeled("from afar")

    #expect(faults == [.foreignPebble("stranger", ofPond: "elsewhere", mentionedBy: "ping")])

    ping.ready = .always
    #expect(faults.isEmpty)
  }

  @Test func aPebbleOfAPondThatIsGoneIsStillNamed() {
    func makeStranger() -> Pebble<Void> { Pond("gone").pebble("stranger") {} }
    let stranger = makeStranger()
    pond.pebble("ping", when: stranger.succeeded) {}

    #expect(faults == [.foreignPebble("stranger", ofPond: "gone", mentionedBy: "ping")])
  }

  @Test func allFaultsAreReportedTogetherALineEach() async throws {
    let stranger = other.pebble("stranger") {}
    pond.pebble("") { Issue.record("a faulty pond must not start anything") }
    pond.pebble("twice") {}
    pond.pebble("twice", when: stranger.failed) {}

    let error = await #expect(throws: PondError.self) { try await pond.run() }

    #expect(error?.pondName == "boot")
    #expect(error?.faults.count == 3)
    #expect(
      error?.description == """
        the pond "boot" cannot run:
          - the pebble at position 0 has an empty name; give it one
          - 2 pebbles are named "twice"; give each a name of its own
          - "twice" mentions "stranger", which belongs to the pond "elsewhere"; a pebble can only \
        wait for pebbles of its own pond
        """)
  }

  @Test func faultsAreInDefinitionOrder() {
    let stranger = other.pebble("stranger") {}
    pond.pebble("eager", when: stranger.failed) {}
    pond.pebble("zebra") {}
    pond.pebble("apple") {}
    pond.pebble("") {}
    pond.pebble("apple") {}
    pond.pebble("zebra", when: stranger.skipped) {}
    pond.pebble("late", when: stranger.settled) {}

    func mention(_ name: String) -> PondError.Fault {
      .foreignPebble("stranger", ofPond: "elsewhere", mentionedBy: name)
    }
    #expect(
      faults == [
        mention("eager"), .duplicateName("zebra", count: 2), mention("zebra"),
        .duplicateName("apple", count: 2), .emptyName(position: 3), mention("late"),
      ])
  }

  @Test(arguments: ["two\nlines", "\u{1B}[31mred", "\"quoted\"", "\u{202E}right to left", "\0"])
  func aHostileNameStaysOnItsLine(name: String) throws {
    pond.pebble(name) {}
    pond.pebble(name) {}

    let error = #expect(throws: PondError.self) { try pond.start() }

    let text = try #require(error?.description)
    #expect(text.split(separator: "\n").count == 2)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isInvisible })
  }

  @Test func anyOtherNameWillDo() async throws {
    let names = [
      " ", "two\nlines", "\"", "\\", "<b>", "&lt;", "\u{0}", "🚀", "node", "\u{202E}x",
      String(repeating: "long", count: 2_500),
    ]
    for name in names { pond.pebble(name) {} }

    let report = try await pond.run()

    #expect(report.isAllSucceeded)
    #expect(report.records.map(\.name) == names)
    #expect(names.allSatisfy { report.word($0) == "succeeded" })
  }

  private var faults: [PondError.Fault] { pond.faultsOfStart }
}
