import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct SwiftNameTests {
  @Test(arguments: ["a", "loadLaunches", "_private", "x1", "größe", "名前", "node", "graph", "async"])
  func anIdentifierStandsAsItIs(name: String) {
    #expect(text(ofName: name) == "\(name).failed")
  }

  @Test(
    arguments: [
      "", "_", "1st", "load cores", "load-cores", "a.b", "🚀", "class", "self", "Self", "true",
      "nil", "default", "repeat", "in", "a\u{200D}b",
    ])
  func anyOtherNameIsQuoted(name: String) {
    let text = text(ofName: name)

    #expect(text.hasPrefix("\""))
    #expect(text.hasSuffix("\".failed"))
  }

  @Test(
    arguments: [
      ("say \"no\"", #""say \"no\"""#),
      (#"back\slash"#, #""back\\slash""#),
      (#"\(1 + 1)"#, #""\\(1 + 1)""#),
      ("two\nlines", #""two\nlines""#),
      ("carriage\rreturn", #""carriage\rreturn""#),
      ("tab\tstop", #""tab\tstop""#),
      ("nul\0", #""nul\u{0}""#),
      ("\u{202E}evil", #""\u{202E}evil""#),
      ("escape\u{1B}[31m", #""escape\u{1B}[31m""#),
      ("line\u{2028}separator", #""line\u{2028}separator""#),
      ("🚀 start", "\"🚀 start\""),
    ])
  func whatCannotStandInALiteralIsEscaped(name: String, literal: String) {
    #expect(text(ofName: name) == literal + ".failed")
  }

  @Test(arguments: [
    "say \"no\"", #"a\b"#, "\n\r\t\0", "\u{202E}\u{2028}\u{1B}", "👨‍👩‍👧 é e\u{301}", "…",
  ])
  func aQuotedNameReadsBackAsItself(name: String) throws {
    let expression = try SwiftExpression(parsing: text(ofName: name))

    #expect(expression == .atom(pebble: name, member: "failed"))
  }

  private func text(ofName name: String) -> String {
    Pond("names").pebble(name) {}.failed.description
  }
}
