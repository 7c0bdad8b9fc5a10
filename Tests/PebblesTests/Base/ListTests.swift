import Testing

@testable import Pebbles

@Suite struct ListTests {
  @Test(arguments: [
    (0, []), (1, ["1"]), (4, ["1", "2", "3", "4"]), (5, ["1", "2", "3", "4", "1 more"]),
    (9, ["1", "2", "3", "4", "5 more"]),
  ])
  func theFirstAreListedAndTheOthersCounted(count: Int, texts: [String]) {
    #expect((0..<count).map { $0 + 1 }.listed(String.init) == texts)
  }

  @Test func whoeverListsSaysHowMany() {
    #expect((1...3).listed(atMost: 2, String.init) == ["1", "2", "1 more"])
  }

  @Test(arguments: [
    ([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"),
  ])
  func theLastIsJoinedByAWord(texts: [String], joined: String) {
    #expect(texts.joined(" or ") == joined)
  }
}
