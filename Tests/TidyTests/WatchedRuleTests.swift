import Testing

@Suite struct WatchedRuleTests {
  private func lines(_ text: String, in path: String = "Tests/PebblesTests/A.swift") -> [Int] {
    WatchedRule().violations(in: SourceFile(path: path, text: text)).map(\.line)
  }

  @Test func asynchronousTestsAreWatched() {
    let test = "{\n  @Test func a() async {}\n}\n"

    #expect(lines("\n@Suite struct A " + test) == [2])
    #expect(lines("@Suite(.serialized) struct A " + test) == [1])
    #expect(lines("@Suite(.watched) struct A " + test + "@Suite struct B " + test) == [4])
    #expect(lines("@Suite(.watched) struct A " + test) == [])
    #expect(lines("@Suite(.serialized, .watched)\nstruct A " + test) == [])
    #expect(lines("@Suite struct A " + test, in: "Examples/Tracker/Tests/A.swift") == [])
  }

  @Test func othersNeedNotBe() {
    #expect(lines("@Suite struct A {\n  @Test func a() {}\n}\nfunc b() async {}") == [])
  }

  @Test func noneHasATimeLimitBesides() {
    #expect(lines("@Suite(.watched, .timeLimit(.minutes(1))) struct A {}") == [1])
    #expect(lines("@Suite struct A {\n  @Test(.timeLimit(.minutes(1))) func a() {}\n}") == [2])
  }
}
