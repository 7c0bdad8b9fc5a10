import Testing

@testable import mutation

@Suite struct TableTests {
  private func mutant(_ id: String) -> Mutant {
    Mutant(
      id: id, number: 0, room: "Engine", file: "A.swift", line: 1, function: "f()", kind: .call,
      before: "g()", after: "")
  }

  private func verdict(_ id: String, _ end: Verdict.End) -> Verdict {
    Verdict(id: id, end: end, isRepeated: false, by: "", suite: nil, suites: 1, seconds: 1)
  }

  @Test func equivalentsCountForNothing() {
    let ends = ["a": verdict("a", .killed), "b": verdict("b", .survived), "c": verdict("c", .hung)]
    let table = Table(
      mutants: ["a", "b", "c", "d"].map(mutant), verdicts: ends, equivalents: ["b"])

    #expect(table.row().killed == 2)
    #expect(table.row().played == 2)
    #expect(table.row().share == 1)
    #expect(table.survivors.isEmpty)
  }

  @Test func whatNoSuiteComesToIsLeftAlive() {
    let table = Table(
      mutants: [mutant("a")], verdicts: ["a": verdict("a", .unreached)], equivalents: [])

    #expect(table.survivors.map(\.id) == ["a"])
    #expect(table.row().share == 0)
  }

  @Test func anEquivalentNeedsItsReason() throws {
    let text = "# The file.\n\na1 A.swift:1 f(): call removed: g() →\n  It only\n  makes room.\n"

    #expect(try Equivalents(text).reasons == ["a1": "It only makes room."])
    #expect(throws: Failure.self) { try Equivalents("a1 A.swift\n") }
    #expect(throws: Failure.self) { try Equivalents("  A reason.\n") }
    #expect(throws: Failure.self) { try Equivalents("a1 A\n  B.\na1 A\n  C.\n") }
  }
}
