import Pebbles
import PebblesTestSupport
import Testing

/// Tests of values that runs are given.
@Suite(.watched) struct GivenTests {
  private enum User: Equatable, Sendable {
    case guest
    case known(String)
  }

  private let pond = Pond("page")
  private let journal = Logbook<String>()
  private let user: Pebble<User>
  private let size: Pebble<Int>

  init() {
    user = pond.given("user", User.self)
    size = pond.given("size", default: 20)
  }

  @Test func aRunReadsWhatItIsGiven() async throws {
    let page = pond.pebble("page", needs: user, size) { "\($0) \($1)" }

    let first = try await pond.run(given: [user.value(.guest)])
    let second = try await pond.run(given: [size.value(3), user.value(.known("ada"))])

    #expect(first[page] == "guest 20")
    #expect(second[page] == "known(\"ada\") 3")
    #expect(first[user] == .guest)
    #expect(first.outcome(of: user).isSucceeded)
    #expect(first.record(of: size)?.started == .zero)
    #expect(first.isAllSucceeded)
  }

  @Test func observersAreToldOfItAtTheBeginning() async throws {
    pond.pebble("page", needs: user, size) { _, _ in }

    let run = try pond.start(given: [user.value(.guest)], clock: AlarmClock(), eventHistory: 100)
    _ = try await run.report
    var settled: [String: Duration] = [:]
    for await event in run.events(bufferingNewest: 100) where event.kind == .settled {
      settled[event.pebble ?? ""] = event.time
    }

    #expect(settled == ["user": .zero, "size": .zero, "page": .zero])
  }

  @Test func conditionsAskForItAndItsCases() async throws {
    let isGuest = user.succeeded("a guest") { $0 == .guest }
    pond.pebble("signUp", when: isGuest) {}
    pond.pebble("home", when: !isGuest) {}
    let never = pond.pebble("never", when: size.failed || size.skipped) {}

    let guest = try await pond.run(given: [user.value(.guest)])
    let known = try await pond.run(given: [user.value(.known("ada"))])

    #expect(guest.records.filter { $0.outcome.isSucceeded }.map(\.name).last == "signUp")
    #expect(known.records.filter { $0.outcome.isSucceeded }.map(\.name).last == "home")
    #expect(guest.outcome(of: never).isSkipped)
  }

  @Test func whatIsMissingTwiceOrForeignIsNamed() async throws {
    let load = pond.pebble("load") { 1 }
    _ = pond.given("token", String.self)
    let other = Pond("other").given("elsewhere", Int.self)

    let error = await #expect(throws: PondError.self) {
      try await pond.run(
        given: [
          user.value(.guest), user.value(.guest), load.value(2), other.value(3),
        ])
    }

    let text = "\(try #require(error))"
    #expect(error?.faults.count == 4)
    #expect(text.contains("the run is given two values for \"user\""), "\(text)")
    #expect(text.contains("the run is given no value for \"token\""), "\(text)")
    #expect(
      text.contains("the run is given a value for \"load\", which has a body"), "\(text)")
    #expect(text.contains("\"elsewhere\", a pebble of another pond"), "\(text)")
    let missing = #expect(throws: PondError.self) { try pond.start() }
    #expect(missing?.faults.count == 2)
  }

  @Test func whatNothingReadsThatWasAskedForMayBeMissing() async throws {
    let other = pond.pebble("other") {}
    let page = pond.pebble("page", needs: user) { "\($0)" }

    let report = try await pond.run(only: [other])

    #expect(report.outcome(of: other).isSucceeded)
    #expect(report.record(of: user)?.skipKind == .notAskedFor)
    await #expect(throws: PondError.self) { try await pond.run(only: [page]) }
  }

  @Test func inAClusterItIsGivenToTheCopy() async throws {
    let outer = Pond("outer")
    let page = pond.pebble("page", needs: user) { "\($0)" }
    let (left, right) = (outer.add(pond, as: "left"), outer.add(pond, as: "right"))

    let report = try await outer.run(
      given: [left[user].value(.guest), right[user].value(.known("ada"))])

    #expect(report[left[page]] == "guest")
    #expect(report[right[page]] == "known(\"ada\")")
    let error = await #expect(throws: PondError.self) { try await outer.run() }
    #expect("\(try #require(error))".contains("\"left/user\""))
  }

  @Test func aConditionAndARefreshAreFaults() async throws {
    let error = await #expect(throws: PondError.self) { try await pond.refresh() }
    #expect("\(try #require(error))".contains("takes a value for \"user\", but all callers"))
    user.ready = size.failed
    await #expect(throws: PondError.self) { try await pond.run(given: [user.value(.guest)]) }
  }

  @Test func resumedItKeepsWhatReadTheSame() async throws {
    let failures = Logbook<Int>()
    let page = pond.pebble("page", needs: user) { [journal] in journal.note("page of \($0)") }
    pond.pebble("list", needs: size) { [journal] in journal.note("list of \($0)") }
    pond.pebble("end", when: page.succeeded) {
      failures.note(1)
      if failures.count == 1 { throw Breakdown() }
    }
    var run = try pond.start(given: [user.value(.guest), size.value(3)])
    _ = try await run.report

    run = try await run.resumed()
    #expect(try await run.report.isAllSucceeded)
    #expect(journal.count == 2)
    #expect(try await run.report[size] == 3)

    run = try await run.resumed(given: [user.value(.known("ada")), size.value(3)])
    _ = try await run.report
    #expect(journal.count == 3)
    #expect(journal.entries.last == "page of known(\"ada\")")
    #expect(failures.count == 3)
  }

  @Test func aCopyOfThePondHasABodyInstead() async throws {
    let page = pond.pebble("page", needs: user, size) { "\($0) \($1)" }
    let copy = try pond.copy(replacing: user, teardown: nil) { .known("a fake") }

    let report = try await copy.run()

    #expect(report[page] == "known(\"a fake\") 20")
    #expect(report.record(of: user)?.isGiven == false)
    await #expect(throws: PondError.self) { try await copy.run(given: [user.value(.guest)]) }
  }

  @Test func aRunMayBeOfNothingElse() async throws {
    let report = try await pond.run(given: [user.value(.guest)], only: [user])

    #expect(report.outcome(of: user).isSucceeded)
    #expect(report.record(of: size)?.skipKind == .notAskedFor)
  }
}
