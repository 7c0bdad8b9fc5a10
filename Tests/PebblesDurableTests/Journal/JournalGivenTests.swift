import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests that a run continues only with the same arguments as those with which it first began.
@Suite(.watched) struct JournalGivenTests {
  @Test func aRunThatIsGivenTheSameGoesOn() async throws {
    let left = try await Self.deathOf(Asked(hangs: true)) { [$0.size.value(2)] }
    let asked = Asked()

    let report = try await asked.pond.run(
      journal: Journal(at: left.path), given: [asked.size.value(2)])

    #expect(report[asked.doubled] == 4)
    #expect(report.record(of: asked.size)?.cases == [.succeeded("small")])
    #expect(asked.questions.entries == [])
    #expect(report.processCount == 2)
    #expect("\(report)".contains("in 2 processes"))
  }

  @Test func whatHasFollowedFromACaseOfThatIsKnown() async throws {
    let (file, first) = (try JournalFile(), Asked())
    _ = try await first.pond.run(journal: Journal(at: file.path), given: [first.size.value(2)])
    let left = try JournalFile(try file.bytes(through: "ended doubled"))
    let asked = Asked()

    let report = try await asked.pond.run(journal: Journal(at: left.path))

    #expect(report[asked.doubled] == 4)
    #expect(asked.calls.entries.sorted() == ["optional", "other"])
  }

  @Test func oneThatIsGivenAnotherValueDoesNot() async throws {
    let left = try await Self.deathOf(Asked(hangs: true)) { [$0.size.value(2)] }
    let bytes = try left.bytes
    let asked = Asked()

    let error = await #expect(throws: JournalError.self) {
      _ = try await asked.pond.run(journal: Journal(at: left.path), given: [asked.size.value(3)])
    }
    #expect(error?.kind == .otherInput)
    #expect(error?.description.contains(#"another value for "size""#) == true)
    #expect(try left.bytes == bytes)

    let report = try await asked.pond.run(
      journal: Journal(at: left.path, ifOther: .startAnew), given: [asked.size.value(3)])
    #expect(report[asked.doubled] == 6)
  }

  /// Checks that an equal value is accepted even if its encoded bytes differ. For example, the
  /// elements of a set can be encoded in any order.
  @Test func oneThatIsGivenAnEqualValueDoes() async throws {
    struct Address: Codable, Equatable, Sendable {
      let host: String
      let comment: String

      static func == (one: Address, other: Address) -> Bool { one.host == other.host }
    }
    let file = try JournalFile()
    let pond = Pond("server")
    let address = pond.given("address", Address.self)
    let isFirst = Logbook<Int>()
    let host = pond.pebble("host", needs: address) { address in
      isFirst.note(1)
      if isFirst.count == 1 { try await untilCancelled() }
      return address.host
    }
    let run = try await pond.start(
      journal: Journal(at: file.path), given: [address.value(Address(host: "a", comment: "1"))])
    try await until { isFirst.count == 1 }
    let left = try await run.dies(with: file)

    let report = try await pond.run(
      journal: Journal(at: left.path), given: [address.value(Address(host: "a", comment: "2"))])

    #expect(report[host] == "a")
  }

  @Test func itNeedNotBeGivenAgain() async throws {
    let left = try await Self.deathOf(Asked(hangs: true)) { [$0.size.value(2)] }
    let asked = Asked()

    let report = try await asked.pond.run(journal: Journal(at: left.path))

    #expect(report[asked.doubled] == 4)
  }

  @Test func whatCannotBeKeptIsGivenAgain() async throws {
    let file = try JournalFile()
    let pond = Pond("handles")
    let handle = pond.given("handle", NightlyPond.Handle.self)
    let calls = Logbook<Int>()
    let reader = pond.pebble("reader", needs: handle) { _ in
      calls.note(1)
      if calls.count == 1 { try await untilCancelled() }
      return 3
    }
    let run = try await pond.start(
      journal: Journal(at: file.path), given: [handle.value(NightlyPond.Handle())])
    try await until { calls.count == 1 }
    let left = try await run.dies(with: file)
    let bytes = try left.bytes

    await #expect(throws: PondError.self) {
      _ = try await pond.run(journal: Journal(at: left.path))
    }
    #expect(try left.bytes == bytes)
    let report = try await pond.run(
      journal: Journal(at: left.path), given: [handle.value(NightlyPond.Handle())])
    #expect(report[reader] == 3)
  }

  /// Checks that a value for a pebble of another pond is refused, as it is when a run first begins.
  @Test func aValueForAPebbleOfAnotherPondIsRefused() async throws {
    let left = try await Self.deathOf(Asked(hangs: true)) { [$0.size.value(2)] }
    let (bytes, asked) = (try left.bytes, Asked())
    let other = Pond("other").given("size", Int.self)

    await #expect(throws: PondError.self) {
      _ = try await asked.pond.run(
        journal: Journal(at: left.path), given: [asked.size.value(2), other.value(2)])
    }

    #expect(asked.calls.entries == [])
    #expect(try left.bytes == bytes)
  }

  /// Checks that a value is compared regardless of the values before it. Of the first two values,
  /// one is compared with `==`, and the other by its encoded bytes.
  @Test func eachValueIsComparedWhateverStandsBeforeIt() async throws {
    struct Place: Codable, Sendable { let name: String }
    func asked(hangs: Bool) -> (pond: Pond, values: (Int) -> [GivenValue], calls: Logbook<Int>) {
      let (pond, calls) = (Pond("asked"), Logbook<Int>())
      let size = pond.given("size", Int.self)
      let place = pond.given("place", Place.self)
      let limit = pond.given("limit", Int.self)
      pond.pebble("work", needs: size, place, limit) { _, _, limit in
        calls.note(limit)
        if hangs { try await untilCancelled() }
      }
      return (
        pond,
        { [size.value(2), place.value(Place(name: "here")), limit.value($0)] }, calls
      )
    }
    let (file, first, again) = (try JournalFile(), asked(hangs: true), asked(hangs: false))
    let run = try await first.pond.start(
      journal: Journal(at: file.path), given: first.values(1))
    try await until { first.calls.count == 1 }
    let left = try await run.dies(with: file)

    let error = await #expect(throws: JournalError.self) {
      _ = try await again.pond.run(journal: Journal(at: left.path), given: again.values(3))
    }

    #expect(error?.kind == .otherInput)
    #expect(error?.description.contains(#"another value for "limit""#) == true)
    #expect(again.calls.entries == [])
  }

  @Test func aRunOfAllPebblesIsNoRunOfSome() async throws {
    let left = try await Self.deathOf(Asked(hangs: true)) { [$0.size.value(2)] }
    let (bytes, asked) = (try left.bytes, Asked())

    let error = await #expect(throws: JournalError.self) {
      _ = try await asked.pond.run(journal: Journal(at: left.path), only: [asked.doubled])
    }

    #expect(error?.kind == .otherInput)
    #expect(error?.description.contains("it runs all pebbles;") == true)
    #expect(asked.calls.entries == [])
    #expect(try left.bytes == bytes)
  }

  @Test func aRunOfSomePebblesStaysOneOfThem() async throws {
    let file = try JournalFile()
    let asked = Asked(hangs: true)
    let run = try await asked.pond.start(
      journal: Journal(at: file.path), given: [asked.size.value(2)], only: [asked.doubled])
    try await until { asked.calls.count == 1 }
    let left = try await run.dies(with: file)
    let again = Asked()

    let error = await #expect(throws: JournalError.self) {
      _ = try await again.pond.run(journal: Journal(at: left.path))
    }
    #expect(error?.description.contains("it runs doubled;") == true)
    let report = try await again.pond.run(
      journal: Journal(at: left.path), only: [.named("doubled")])
    #expect(again.calls.entries == ["doubled"])
    #expect(report.outcome(of: again.other).isSkipped)
    #expect(report[again.doubled] == 4)
  }

  @Test func whatWasEnabledFirstStaysSo() async throws {
    let left = try await Self.deathOf(Asked(hangs: true, isEnabled: false)) { [$0.size.value(2)] }
    let asked = Asked(isEnabled: true)

    let report = try await asked.pond.run(journal: Journal(at: left.path))

    guard case .skipped(.disabled) = report.outcome(of: asked.optional) else {
      Issue.record("\(report)")
      return
    }
    #expect(!asked.calls.entries.contains("optional"))
  }

  /// A pond with a given value, whose first body waits for its cancellation if `hangs` is `true`.
  private struct Asked: Sendable {
    let pond = Pond("asked")
    let calls = Logbook<String>()
    let questions = Logbook<Int>()
    let size: Pebble<Int>
    let doubled: Pebble<Int>
    let other: Pebble<Void>
    let optional: Pebble<Void>

    init(hangs: Bool = false, isEnabled: Bool = true) {
      let (calls, questions) = (calls, questions)
      size = pond.given("size", Int.self)
      let small = size.succeeded("small") { size in
        questions.note(size)
        return size < 5
      }
      doubled = pond.pebble("doubled", needs: size, when: small) { size in
        calls.note("doubled")
        if hangs { try await untilCancelled() }
        return size * 2
      }
      other = pond.pebble("other", when: doubled.succeeded) { calls.note("other") }
      optional = pond.pebble("optional", .enabled { isEnabled }, when: doubled.succeeded) {
        calls.note("optional")
      }
    }
  }

  private static func deathOf(
    _ asked: Asked, given values: (Asked) -> [GivenValue]
  ) async throws -> JournalFile {
    let file = try JournalFile()
    let run = try await asked.pond.start(journal: Journal(at: file.path), given: values(asked))
    try await until { asked.calls.count == 1 }
    return try await run.dies(with: file)
  }
}
