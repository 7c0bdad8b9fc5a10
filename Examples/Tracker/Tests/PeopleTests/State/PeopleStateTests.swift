import Testing

@testable import People

/// Tests for the rules of the state. The state is a value, so the tests need no search.
@Suite struct PeopleStateTests {
  private var state = PeopleState(mostVisitors: 2)
  private let question = Question.named("ann")
  private let listing = Listing(numbers: [3, 1, 4, 1, 5])

  @Test mutating func aQuestionIsSearched() {
    #expect(
      state.reduce(.asked(.ann, revision: 0, question)) == [.search(.ann, number: 1, question)])
    #expect(throws: PeopleError.unanswered) { try state.listing(for: .ann, revision: 0) }
    #expect(state.reduce(.answered(.ann, search: 1, listing)).isEmpty)
    #expect(try! state.listing(for: .ann, revision: 0) == listing)
  }

  @Test mutating func aNewerQuestionStopsTheSearchAndNobodyElses() {
    _ = state.reduce(.asked(.ann, revision: 0, question))
    _ = state.reduce(.asked(.bob, revision: 0, question))

    #expect(
      state.reduce(.asked(.ann, revision: 1, Question()))
        == [.stop(.ann), .search(.ann, number: 3, Question())])
    #expect(throws: PeopleError.outdated) { try state.listing(for: .ann, revision: 0) }
    #expect(state.visits[.bob]?.search == 2)
  }

  @Test mutating func whatAnOutdatedSearchFoundIsDropped() {
    _ = state.reduce(.asked(.ann, revision: 0, question))
    _ = state.reduce(.asked(.ann, revision: 1, Question()))
    let before = state

    _ = state.reduce(.answered(.ann, search: 1, listing))
    _ = state.reduce(.gaveUp(.ann, search: 1, "cancelled"))
    #expect(state == before)
  }

  @Test mutating func anOlderQuestionThatComesLaterIsRefused() {
    _ = state.reduce(.asked(.ann, revision: 5, question))
    #expect(state.reduce(.asked(.ann, revision: 4, Question())) == [.refuse(.outdated)])
    #expect(state.reduce(.asked(.ann, revision: -1, Question())) == [.refuse(.badRevision)])
    #expect(state.reduce(.asked(.bob, revision: -1, Question())) == [.refuse(.badRevision)])
    #expect(state.visits[.ann]?.revision == 5)
  }

  @Test mutating func aQuestionThatComesTwiceIsAnsweredOnce() {
    _ = state.reduce(.asked(.ann, revision: 0, question))
    #expect(
      state.reduce(.asked(.ann, revision: 0, question))
        == [.stop(.ann), .search(.ann, number: 2, question)])
    // The end of the first search does not end the second.
    _ = state.reduce(.gaveUp(.ann, search: 1, "cancelled"))
    _ = state.reduce(.answered(.ann, search: 2, listing))
    #expect(state.reduce(.asked(.ann, revision: 0, question)).isEmpty)
    #expect(try! state.listing(for: .ann, revision: 0) == listing)
  }

  @Test mutating func whoHasNotAskedForLongestIsForgotten() throws {
    let carol = try VisitorID("visitor-carol")
    _ = state.reduce(.asked(.ann, revision: 0, question))
    _ = state.reduce(.asked(.bob, revision: 0, question))
    _ = state.reduce(.asked(.ann, revision: 1, question))

    #expect(
      state.reduce(.asked(carol, revision: 0, question))
        == [.stop(.bob), .forget(.bob), .search(carol, number: 4, question)])
    #expect(throws: PeopleError.unknown) { try state.listing(for: .bob, revision: 0) }
    #expect(state.recent == [.ann, carol])
    // What is found for someone who is forgotten is for nobody.
    let before = state
    _ = state.reduce(.answered(.bob, search: 2, listing))
    #expect(state == before)
  }

  @Test mutating func theSameSeedChoosesTheSame() {
    _ = state.reduce(.asked(.ann, revision: 0, question))
    #expect(
      state.reduce(.chose(.ann, revision: 0, seed: 42)) == [.refuse(.unanswered)])
    _ = state.reduce(.answered(.ann, search: 1, listing))

    _ = state.reduce(.chose(.ann, revision: 0, seed: 42))
    let choice = state.visits[.ann]?.choice
    _ = state.reduce(.chose(.ann, revision: 0, seed: 43))
    _ = state.reduce(.chose(.ann, revision: 0, seed: 42))
    #expect(state.visits[.ann]?.choice == choice)

    let places = (UInt32(0)..<200).compactMap { seed in
      _ = state.reduce(.chose(.ann, revision: 0, seed: seed))
      return state.visits[.ann]?.choice?.place
    }
    #expect(Set(places) == Set(0..<5))
  }

  @Test mutating func nobodyIsChosenFromNobody() {
    _ = state.reduce(.asked(.ann, revision: 0, question))
    _ = state.reduce(.answered(.ann, search: 1, Listing(numbers: [])))
    #expect(state.reduce(.chose(.ann, revision: 0, seed: 1)) == [.refuse(.nobody)])
    #expect(state.reduce(.chose(.bob, revision: 0, seed: 1)) == [.refuse(.unknown)])
  }

  @Test(arguments: [(-1, 1), (0, 0), (0, -5), (0, 201), (Int.min, 1), (0, Int.max)])
  func pagesAreOfAReasonableSize(from: Int, count: Int) {
    #expect(throws: PeopleError.badPage(from: from, count: count)) {
      try listing.page(from: from, count: count)
    }
  }

  @Test(arguments: [5, 6, Int.max])
  func nobodyStandsBeyondTheEnd(from: Int) {
    #expect(throws: PeopleError.beyondEnd(from: from, total: 5)) {
      try listing.page(from: from, count: 10)
    }
  }

  @Test func theLastPageIsShorter() throws {
    #expect(try listing.page(from: 3, count: 200) == [1, 5])
    #expect(try listing.page(from: 0, count: 2) == [3, 1])
  }

  @Test(arguments: ["", "short", String(repeating: "x", count: 65), "visitor ann", "visitör-ann"])
  func visitorsHavePlainNames(text: String) {
    #expect(throws: PeopleError.badVisitor) { try VisitorID(text) }
  }
}
