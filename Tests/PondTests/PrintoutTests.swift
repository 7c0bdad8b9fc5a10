import PebblesPictures
import Testing

@testable import pond

@Suite struct PrintoutTests {
  private func text(_ line: String, width: Int?) -> String {
    var printout = Printout()
    printout.line(line)
    return printout.text(Printout.Look(width: width))
  }

  @Test(arguments: [
    ("one two three", 20, "one two three\n"),
    ("one two three", 8, "one two\n  three\n"),
    ("  one two three four", 12, "  one two\n    three\n    four\n"),
    ("├─ because ping failed", 14, "├─ because\n│    ping\n│    failed\n"),
    ("abcdefghijklmnop", 10, "abcdefghij\n  klmnop\n"),
    ("漢字漢字漢字", 8, "漢字漢字\n  漢字\n"),
    ("", 8, "\n"), ("        ", 4, "    \n"),
  ])
  func linesAreBrokenAtBlanks(_ line: String, _ width: Int, _ expected: String) {
    #expect(text(line, width: width) == expected)
  }

  @Test func everyRowFitsHoweverNarrowTheTerminal() {
    let line =
      "  ├─ " + (1...60).map { String(repeating: "x", count: $0 % 13) }.joined(separator: " ")
    for width in 20...90 {
      let rows = text(line, width: width).split(separator: "\n")
      #expect(rows.allSatisfy { $0.columns <= width })
    }
  }

  @Test func aVeryLongLineIsBrokenInNoTimeToSpeakOf() {
    let rows = text(String(repeating: "word ", count: 100_000), width: 80).split(separator: "\n")

    #expect(rows.count == 6_667)
  }

  @Test func stylesAreAroundTheText() {
    var printout = Printout()
    printout.line(StyledText("a", .bad), StyledText("b"), StyledText("", .good))

    #expect(printout.text(Printout.Look(isColored: true)) == "\u{1B}[31ma\u{1B}[0mb\n")
    #expect(printout.text() == "ab\n")
  }
}
