import Pebbles
import PebblesAnalysis
import Testing

@Suite struct ConditionTextTests {
  private let model: PondModel

  init() throws {
    let pond = Pond("boot")
    for name in ["a", "b", "load cores", "class", "always", "naïve ✓"] { pond.pebble(name) {} }
    model = try pond.model()
  }

  @Test(arguments: [
    "a.succeeded", "!a.failed", "a.completed && b.settled", "a.failed || b.skipped && a.settled",
    "(a.failed || b.skipped) && a.settled", "!(a.failed && b.failed)", ".always", ".never",
    "\"load cores\".failed", "\"class\".skipped", "\"naïve ✓\".completed",
    "(a.failed && b.failed).labeled(\"no \\\"way\\\"\")", "(!a.failed).labeled(\"x\")",
    "a.failed.labeled(\"one\").labeled(\"two\")", "always.succeeded",
  ])
  func whatPrintsReadsBackAsItself(_ text: String) throws {
    #expect(try model.condition(text).description == text)
  }

  @Test(arguments: [
    ("always", ".always"), (" never\n", ".never"), ("((a.failed))", "a.failed"),
    ("a.failed&&b.failed", "a.failed && b.failed"), ("!(!a.failed)", "a.failed"),
    ("\"a\" . failed", "a.failed"), ("class.failed", "\"class\".failed"),
    ("\"load\\u{20}cores\".failed", "\"load cores\".failed"),
  ])
  func peopleMayWriteItOtherwise(_ text: String, _ printed: String) throws {
    #expect(try model.condition(text).description == printed)
  }

  @Test(arguments: [
    ("", 1, 1, "there should be a condition here, such as login.succeeded, not the end"),
    (
      "a.failed &&", 1, 12, "there should be a condition here, such as login.succeeded, not the end"
    ),
    ("a.failed & b.failed", 1, 10, "there should be && here"),
    ("a.failed\n  b.failed", 2, 3, "there should be &&, || or the end here, not \"b\""),
    (
      "(a.failed", 1, 10,
      "there should be &&, || or a ) here, for the ( at line 1, column 1, not the end"
    ),
    ("a", 1, 2, "there should be a . here, for the outcome of a, such as .succeeded, not the end"),
    (
      "a.fail", 1, 3,
      "there should be succeeded, failed, skipped, completed, settled, timedOut or is here, "
        + "not \"fail\""
    ),
    (
      "!!a.failed", 1, 2,
      "two ! in a row would be another operator; put the inner one in parentheses, not !"
    ),
    ("a.failed)", 1, 9, "there should be &&, || or the end here, not )"),
    ("(a.failed))", 1, 11, "there should be &&, || or the end here, not )"),
    ("pnig.failed", 1, 1, "no pebble is named pnig"),
    (
      "\"load core\".failed", 1, 1, "no pebble is named \"load core\"; did you mean \"load cores\"?"
    ),
    (
      "a.failed && …", 1, 13,
      "the text was cut here when it was printed, so the rest is unknown"
    ),
    ("\"a.failed", 1, 1, "the string that starts here does not end"),
    ("\"a\r\".failed", 1, 1, "the string that starts here does not end"),
    // In quotes, it is a name.
    (
      "\"always\"", 1, 9,
      "there should be a . here, for the outcome of always, such as .succeeded, not the end"
    ),
    ("\"never\"", 1, 1, "no pebble is named never"),
    ("\"\\u{110000}\".failed", 1, 2, "there should be a character here, such as \\u{1F}"),
    ("a.failed.labeled(x)", 1, 18, "there should be the label here, in quotes, not \"x\""),
    ("a.failed; b.failed", 1, 9, "\";\" means nothing here; put other names in quotes"),
    ("(a.failed); b.failed", 1, 11, "\";\" means nothing here; put other names in quotes"),
    ("a.failed || ;", 1, 13, "\";\" means nothing here; put other names in quotes"),
    (".sometimes", 1, 2, "there should be always or never here, not \"sometimes\""),
  ])
  func whatIsWrongIsSaidWithItsPlace(
    _ text: String, line: Int, column: Int, _ problem: String
  ) throws {
    let error = try #require(throws: TextError.self) { try model.condition(text) }

    #expect(error.description == "line \(line), column \(column): \(problem)")
  }

  @Test func conditionsOfAnyDepthReadBack() throws {
    var deep = try model.condition("a.failed")
    let other = try model.condition("b.failed")
    for number in 0..<9_000 { deep = number.isMultiple(of: 2) ? !(deep || other) : deep && other }

    #expect(try model.condition(deep.description).description == deep.description)
  }

  @Test func lengthIsBounded() throws {
    let deep = String(repeating: "(", count: 100_000)
    #expect(throws: TextError.self) { try model.condition(deep) }

    let long = String(repeating: "a.failed || ", count: 100_000) + "a.failed"
    _ = try model.condition(long)
    let error = #expect(throws: TextError.self) { try model.condition("\n" + long + long) }
    #expect(error?.line == 2)
  }

  @Test func marksThatCombineAreCountedOnceWhereANumberShouldBe() throws {
    let text = "\"\\u{1" + String(repeating: "\u{301}", count: 200_000) + "}\".failed"

    let error = try #require(throws: TextError.self) { try model.condition(text) }

    #expect(error.description.hasPrefix("line 1, column 2: there should be a character here"))
  }
}
