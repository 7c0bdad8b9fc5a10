import Pebbles
import Synchronization
import Testing

@testable import People

@Suite struct PeopleServiceTests {
  @Test func filtersAreCombined() async throws {
    let service = PeopleService(.some)
    var question = Question.named("a")
    question.bloodTypes = BloodTypeFilter([.oPositive, .aNegative])
    question.shoeSizes = try ShoeSizeFilter(from: 40, to: 43)
    question.order = .size
    let expected = (0..<People.some.count).map { People.some[$0] }.filter { person in
      person.name.split(separator: " ").contains {
        SearchWords.entries(of: String($0)).contains { $0.hasPrefix("a") }
      } && [.oPositive, .aNegative].contains(person.bloodType)
        && (40...43).contains(person.shoeSize.number)
    }.sorted { ($0.shoeSize, $0.number) < ($1.shoeSize, $1.number) }

    let total = try await service.ask(question, for: .ann, revision: 0)
    var rows: [Person] = []
    while rows.count < total {
      rows += try await service.rows(from: rows.count, count: 7, for: .ann, revision: 0)
    }

    #expect(rows == expected)
  }

  @Test func aNewerQuestionCancelsTheSearchUnderWay() async throws {
    let gate = Gate(holding: 1)
    let service = PeopleService(.some, around: gate.around)
    let first = Task { try await service.ask(.named("ann"), for: .ann, revision: 1) }
    await gate.waitForArrival()

    // The gate stays closed: the first search ends because it is cancelled.
    let second = try await service.ask(Question(), for: .ann, revision: 2)

    #expect(second == People.some.count)
    await #expect(throws: PeopleError.outdated) { try await first.value }
    #expect(try await service.rows(from: 0, count: 1, for: .ann, revision: 2).count == 1)
  }

  @Test func questionsInTheWrongOrderAreAnsweredByTheNewest() async throws {
    let service = PeopleService(.some)
    _ = try await service.ask(.named("ann"), for: .ann, revision: 9)
    await #expect(throws: PeopleError.outdated) {
      try await service.ask(Question(), for: .ann, revision: 8)
    }
    await #expect(throws: PeopleError.outdated) {
      try await service.rows(from: 0, count: 1, for: .ann, revision: 8)
    }
    await #expect(throws: PeopleError.unanswered) {
      try await service.rows(from: 0, count: 1, for: .ann, revision: 10)
    }
  }

  @Test func visitorsDoNotDisturbEachOther() async throws {
    let gate = Gate(holding: 1)
    let service = PeopleService(.some, around: gate.around)
    async let first = service.ask(Question(), for: .ann, revision: 1)
    await gate.waitForArrival()

    _ = try await service.ask(.named("ann"), for: .bob, revision: 7)
    gate.open()

    #expect(try await first == People.some.count)
  }

  @Test func aCallerWhoLeavesEndsItsSearch() async throws {
    let gate = Gate(holding: 1)
    let service = PeopleService(.some, around: gate.around)
    let caller = Task { try await service.ask(.named("ann"), for: .ann, revision: 1) }
    await gate.waitForArrival()

    caller.cancel()

    await #expect(throws: PeopleError.self) { try await caller.value }
    #expect(try await service.ask(Question(), for: .ann, revision: 2) == People.some.count)
  }

  @Test func aSearchThatFailsSaysWhyAndTheNextOneWorks() async throws {
    struct Broken: Error, CustomStringConvertible { let description = "out of order" }
    let isBroken = Atomic(true)
    let service = PeopleService(.some) { context, body in
      let isBroken = isBroken.exchange(false, ordering: .relaxed)
      if isBroken { throw Broken() }
      try await body()
    }
    await #expect(throws: PeopleError.failed("out of order")) {
      try await service.ask(Question(), for: .ann, revision: 1)
    }
    #expect(try await service.ask(Question(), for: .ann, revision: 1) == People.some.count)
  }

  @Test func aThousandQuestionsAtOnceEndInTheNewest() async throws {
    let service = PeopleService(.some)
    let names = ["", "a", "an", "ann", "b", "zo"]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for revision in 0..<1_000 {
        group.addTask {
          do {
            _ = try await service.ask(
              .named(names[revision % names.count]), for: .ann, revision: revision)
          } catch PeopleError.outdated {}
        }
      }
      try await group.waitForAll()
    }
    let last = try await service.ask(.named(names[999 % names.count]), for: .ann, revision: 999)
    let alone = try await PeopleService(.some).ask(
      .named(names[999 % names.count]), for: .ann, revision: 0)
    #expect(last == alone)
  }
}
