import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

@Suite(.watched) struct PondDocumentTests {
  private static let sketch = """
    {
      "name": "boot", "source": "written by hand", "more": {"for": ["people"]},
      "pebbles": [
        {"name": "ping", "when": "always"}, {"name": "load cores"},
        {"name": "offline", "when": "ping.failed && \\"load cores\\".failed"}
      ],
      "laws": ["offline.completed implies ping.failed"]
    }
    """

  private func run() async throws -> RecordedRun {
    let pond = Pond("boot")
    pond.pebble("a</script>b <!-- \u{2028}") {}
    return try await pond.run().recorded()
  }

  @Test func modelsAndRunsAreKnownByTheirFormats() async throws {
    let run = try await run()

    let model = try PondDocument(run.model.jsonBytes())
    #expect(model.kind == .model)
    #expect(model.run == nil)
    #expect(model.model.names == run.model.names)

    let document = try PondDocument(run.jsonBytes())
    #expect(document.kind == .run)
    #expect(document.run?.pebbles == run.pebbles)
  }

  @Test func aPageIsReadAsTheRunInIt() async throws {
    let run = try await run()
    let embedded = run.json().replacing("<", with: "\\u003c")
    let page = """

      <!doctype html><title>a > b</title><SCRIPT>const a = 1 < 2 && "<p>"</SCRIPT>
      <script type="application/json" id="other">{"format": "something else"}</script>
      <script id="run" type="application/json">\(embedded)</script><script>go()</script>
      """

    for text in [page, page.replacing("<script id", with: "<SCRIPT ID")] {
      let document = try PondDocument(text.utf8)

      #expect(document.kind == .page)
      #expect(document.run?.pebbles == run.pebbles)
    }
  }

  @Test func aSketchIsReadAsItsConditions() throws {
    let document = try PondDocument(Self.sketch.utf8)

    #expect(document.kind == .sketch)
    #expect(document.model.name == "boot")
    #expect(document.model.names == ["ping", "load cores", "offline"])
    #expect(
      document.model.condition(at: 2).description == "ping.failed && \"load cores\".failed")
    #expect(document.laws.map(\.description) == ["offline.completed implies ping.failed"])
    let scenarios = document.model.scenarios()
    #expect(scenarios.count == 5)
    #expect(try scenarios.check(document.laws).allSatisfy(\.isKept))
    #expect(try PondModel(json: document.model.json()).names == document.model.names)
  }

  @Test(arguments: [
    ("", "line 1, column 1: there is nothing in it"),
    ("  \n", "line 1, column 1: there is nothing in it"),
    (
      "[1]",
      "line 1, column 1: this is neither a run, a model, a page nor a journal: there should be a { "
        + "or a < here"
    ),
    (
      "\n root:x:0:0",
      "line 2, column 2: this is neither a run, a model, a page nor a journal: there should be a { "
        + "or a < here"
    ),
    (
      "{}",
      "line 1, column 1: this is neither a pond nor a run: there should be an object with "
        + "\"format\", or one with \"pebbles\", here"
    ),
    (
      "{\"format\": \"pod\"}",
      "line 1, column 12: the format should be \"pond\" or "
        + "\"pond run\""
    ),
    (
      "{\"pebbles\": [{\"name\": \"a\", \"wen\": \"\"}]}",
      "line 1, column 28: the key \"wen\" means "
        + "nothing here"
    ),
    ("{\"pebbles\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}", "line 1, column 29: 2 pebbles"),
    (
      "{\"pebbles\": [{\"name\": \"a\", \"when\": \"b.failed\"}]}",
      "line 1, column 36: \"b.failed\" is "
        + "not understood: line 1, column 1: no pebble is named b"
    ),
    (
      "{\"pebbles\": [], \"laws\": [\"\"]}",
      "line 1, column 26: \"\" is not understood: line 1, "
        + "column 1: there should be a condition here"
    ),
    ("<!doctype html><p>Nothing", "line 1, column 1: this page holds no run"),
    ("<p>\n<script type='application/json'>{\"format\":}</script>", "line 2, column 43: "),
    ("<script type=application/json", "line 1, column 1: this page holds no run"),
  ])
  func whatIsWrongIsSaidWithItsPlace(_ text: String, _ sentence: String) throws {
    let error = try #require(throws: JSONError.self) { try PondDocument(text.utf8) }

    #expect(error.description.hasPrefix(sentence), "\(error)")
  }

  @Test(arguments: ["name", "pebbles", "laws"])
  func aKeyOfASketchThatStandsTwiceIsRefused(key: String) throws {
    let value = key == "name" ? "\"p\"" : "[]"
    let text = """
      {"name": "p", "pebbles": [], "laws": [],
      "\(key)": \(value)}
      """

    let error = try #require(throws: JSONError.self) { try PondDocument(text.utf8) }

    #expect(error.description == "line 2, column 1: the key \"\(key)\" is here twice")
  }

  @Test func pebblesOfASketchAreNotCountedAnewForEachLaw() throws {
    let pebbles = (0..<10_000).map { "{\"name\": \"p\($0)\"}" }.joined(separator: ", ")
    let laws = (0..<10_000).map { "\"never p\($0).failed\"" }.joined(separator: ", ")

    let document = try PondDocument("{\"pebbles\": [\(pebbles)], \"laws\": [\(laws)]}".utf8)

    #expect(document.laws.count == 10_000)
  }

  @Test func whatIsTooLongIsRefusedInAnyForm() throws {
    var limits = JSONLimits()
    limits.bytes = 100
    for start in ["{", "<p>", "  "] {
      let text = start + String(repeating: " ", count: 1_000) + "}"

      let error = try #require(throws: JSONError.self) {
        try PondDocument(text.utf8, limits: limits)
      }

      #expect(error.offset <= 101)
    }
  }

  @Test func whatIsNoDocumentIsSaidToBeNoneUpToTheLargestSize() throws {
    var limits = JSONLimits()
    limits.bytes = 10
    func problem(_ count: Int) -> String? {
      let text = String(repeating: "x", count: count)
      return #expect(throws: JSONError.self) { try PondDocument(text.utf8, limits: limits) }?
        .problem
    }

    #expect(problem(10)?.hasPrefix("this is neither a run, a model, a page nor a journal") == true)
    #expect(problem(11) == limits.problemWithBytes)
  }

  @Test func aSketchHasNoMorePebblesThanItMay() throws {
    var limits = JSONLimits()
    limits.pebbles = 2
    func sketch(_ count: Int) -> String {
      let pebbles = (0..<count).map { "{\"name\": \"p\($0)\"}" }.joined(separator: ", ")
      return "{\"pebbles\": [\(pebbles)]}"
    }

    #expect(try PondDocument(sketch(2).utf8, limits: limits).model.names == ["p0", "p1"])
    let error = #expect(throws: JSONError.self) { try PondDocument(sketch(3).utf8, limits: limits) }
    #expect(error?.problem == limits.problemWithPebbles)
  }

  @Test(arguments: [60, 61]) func aLongConditionIsCutWhereItIsNotUnderstood(count: Int) throws {
    let text = String(repeating: "x", count: count)
    let shown = count == 60 ? text : String(repeating: "x", count: 59) + "…"

    let error = try #require(throws: JSONError.self) {
      try PondDocument("{\"pebbles\": [{\"name\": \"a\", \"when\": \"\(text)\"}]}".utf8)
    }

    #expect(error.problem.hasPrefix("\"\(shown)\" is not understood: "))
  }

  @Test func everyPrefixOfADocumentIsRefusedAndNoneCrashes() async throws {
    let page = "<script type='application/json'>" + (try await run()).json() + "</script>"
    for text in [Self.sketch, page] {
      for length in 0..<text.utf8.count - 10 {
        #expect(throws: JSONError.self) { try PondDocument(text.utf8.prefix(length)) }
      }
    }
  }
}
