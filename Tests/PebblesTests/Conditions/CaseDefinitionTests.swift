import PebblesTestSupport
import Testing

@testable import Pebbles

private enum StoreError: Error, Equatable {
  case locked, full
}

/// Tests of mistakes in the definition of cases, and of cases in copied ponds.
@Suite(.watched) struct CaseDefinitionTests {
  private let pond = Pond("cases")

  // MARK: Faults

  @Test func aSecondCaseOfANameIsAFault() async throws {
    let load = pond.pebble("load") {}
    _ = load.failed("locked") { _ in true }
    _ = load.failed("locked") { _ in false }
    // Another outcome is another case.
    _ = load.succeeded("locked") { _ in false }

    let error = await #expect(throws: PondError.self) { try await pond.run() }
    #expect(
      error?.faults.map(\.description) == [
        #""load" has two cases of failed named "locked"; give each a name of its own, "#
          + "or use one condition in both places"
      ])
  }

  @Test func tooManyCasesAreAFault() async throws {
    let load = pond.pebble("load") {}
    for number in 0..<70 { _ = load.failed("\(number)") { _ in true } }

    let error = await #expect(throws: PondError.self) { try await pond.run() }
    #expect(error?.faults.count == 6)
    #expect(
      error?.faults.first?.description
        == #""load" has more than 64 cases, the last of them "64"; use fewer"#)
  }

  @Test func unequalValuesThatPrintAlikeAreAFault() async throws {
    struct Blank: Equatable, Sendable, CustomStringConvertible {
      let number: Int
      var description: String { "blank" }
    }
    let load = pond.pebble("load") { Blank(number: 0) }
    _ = load.is(Blank(number: 0))
    _ = load.is(Blank(number: 0))
    #expect(pond.program().pond.faults.isEmpty)

    _ = load.is(Blank(number: 1))
    let error = await #expect(throws: PondError.self) { try await pond.run() }
    #expect(
      error?.faults.map(\.description) == [
        #""load" has two unequal values for its cases that both print as "blank"; "#
          + "let them print differently"
      ])
  }

  @Test func aCaseOfAnotherPondIsAFault() async throws {
    let other = Pond("other")
    let foreign = other.pebble("foreign") {}
    pond.pebble("after", when: foreign.failed("x") { _ in true }) {}

    let error = await #expect(throws: PondError.self) { try await pond.run() }
    #expect(error?.faults.first?.kind == .foreignPebble)
  }

  // MARK: Copies

  @Test func clustersHaveTheCasesToo() async throws {
    let store = Pond("store")
    let open = store.pebble("open") { throw StoreError.locked }
    let locked = open.failed("locked") { $0 as? StoreError == .locked }
    store.pebble("unlock", when: locked) {}
    let first = pond.add(store, as: "first")
    let second = pond.add(store, as: "second")
    let after = pond.pebble("after", when: first[locked] && second[locked]) {}
    let not = pond.pebble("not", when: !first[locked]) {}

    let report = try await pond.run()

    #expect(report.ran(.named("first/unlock")) && report.ran(.named("second/unlock")))
    #expect(report.ran(after))
    #expect(!report.ran(not))
    #expect("\(first[locked])" == #""first/open".failed("locked")"#)
  }

  @Test func aClusterFindsItsCopyByWhatItIsCalled() async throws {
    let store = Pond("store")
    let open = store.pebble("open") { throw StoreError.locked }
    let locked = open.failed("locked") { $0 as? StoreError == .locked }
    let cluster = pond.add(store, as: "store")
    // The numbers are not the same from here on.
    let copy = cluster[open].failed("full") { $0 as? StoreError == .full }
    let late = open.failed("late") { _ in true }
    let isLocked = pond.pebble("locked", when: cluster[locked]) {}
    let isFull = pond.pebble("full", when: copy) {}

    let report = try await pond.run()

    #expect(report.ran(isLocked))
    #expect(!report.ran(isFull))
    #expect("\(cluster[late])" == "\(late)")
  }
}
