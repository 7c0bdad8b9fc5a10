import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that a model is the same after it has been written and read again.
@Suite struct ModelRoundTripTests {
  @Test func everythingKnownOfAPondIsInItsDocument() throws {
    let model = try richPond().model()

    let copy = try PondModel(json: model.json())

    expectAlike(copy, model)
    #expect(copy.properties[1]?.timeout == .milliseconds(5_000))
    #expect(copy.properties[3]?.isService == true)
    #expect(copy.pond.graph.clusters.map(\.name) == ["cache", "cache/disk"])
  }

  @Test func theDocumentIsTheOneInTheArticle() throws {
    let pond = Pond("boot", maxConcurrent: 4)
    let load = pond.pebble("load", .timeout(.seconds(5)), .uses("lines", of: 2)) {}
    let ping = pond.pebble("ping") {}
    pond.pebble("show", needs: load, when: (ping.completed || ping.skipped).labeled("asked")) { _ in
    }

    #expect(try pond.model().json() == articleDocument)
  }

  @Test func randomPondsComeBack() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let reference = ReferencePond.random(
        mostPebbles: 12, withCases: Bool.random(using: &generator), using: &generator)
      let model = try reference.definedPond().model()

      let copy = try PondModel(json: model.jsonBytes())
      expectAlike(copy, model, withGateNumbers: false)
      expectAlike(try PondModel(json: copy.jsonBytes()), copy)
    }
  }

  @Test func emptyPondComesBack() throws {
    let model = try Pond("").model()

    expectAlike(try PondModel(json: model.json()), model)
  }

  @Test func namesAreDataWhateverTheySay() throws {
    let names = [
      "say \"no\"", #"back\slash"#, "two\nlines", "\r\n\t\u{8}\u{C}", "nul\0", "\u{1B}[31m",
      "🚀", "👨‍👩‍👧", "e\u{301}", "\u{2028}", "\u{FEFF}", "\u{FFFF}", "\u{7F}", " ", "/",
      String(repeating: "\"", count: 10_000),
    ]
    let pond = Pond("\u{0}\"")
    for name in names { pond.pebble(name, .exclusive(name), when: .always.labeled(name)) {} }
    let model = try pond.model()

    expectAlike(try PondModel(json: model.json()), model)
  }

  @Test func timeoutsAreWholeNanosecondsUpToFiveHundredYears() throws {
    let pond = Pond("boot")
    pond.pebble("short", .timeout(Duration(attoseconds: 1))) {}
    pond.pebble("long", .timeout(Duration(attoseconds: .max))) {}
    let model = try pond.model()

    let copy = try PondModel(json: model.json())

    #expect(copy.properties[0]?.timeout == .nanoseconds(1))
    expectAlike(copy, model)
  }
}

private let articleDocument = """
  {
    "format": "pond",
    "version": 1,
    "name": "boot",
    "maxConcurrent": 4,
    "onFailure": "ignore",
    "conditions": [
      {"any": [{"pebble": 1, "is": ["succeeded", "failed"]}, {"pebble": 1, "is": ["skipped"]}]},
      {"label": "asked", "of": 0}
    ],
    "pebbles": [
      {"name": "load", "timeout": 5000000000, "uses": [{"resource": "lines", "capacity": 2, \
  "units": 1}]},
      {"name": "ping"},
      {"name": "show", "needs": {"pebble": 0, "is": ["succeeded"]}, "when": 1}
    ],
    "clusters": []
  }
  """
