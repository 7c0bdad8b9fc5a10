import PebblesAnalysis
import Testing

/// Tests of well-formed documents that do not describe a valid pond.
@Suite struct ModelFaultTests {
  @Test(arguments: faults)
  func whatCannotBeMeantIsAnErrorAtItsPlace(
    _ old: String, _ new: String, _ line: Int, _ problem: String
  ) {
    let text = document.replacing(old, with: new)
    #expect(text != document)

    let error = #expect(throws: JSONError.self) { try PondModel(json: text) }

    #expect(error?.line == line, "\(error?.description ?? "")")
    #expect(error?.problem.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test func theDocumentItselfIsRight() throws {
    let model = try PondModel(json: document)

    #expect(model.names == ["cache/a", "cache/b", "c"])
    #expect(model.condition(at: 2).description == "\"cache/a\".succeeded && !\"cache/b\".skipped")
  }

  @Test func escapedKeysAreTheKeysThatTheySay() throws {
    let text = document.replacing("\"name\"", with: #""\u006E\u0061me""#)

    #expect(try PondModel(json: text).name == "boot")
  }

  @Test(arguments: ["[]", "1", "null", "\"pond\"", "true"])
  func aDocumentIsAnObject(_ text: String) {
    let error = #expect(throws: JSONError.self) { try PondModel(json: text) }

    #expect(error?.problem == "there should be an object here")
  }

  @Test func aRunIsNoPond() throws {
    let error = #expect(throws: JSONError.self) {
      try PondModel(json: document.replacing("\"pond\"", with: "\"pond run\""))
    }

    #expect(error?.problem == "the format should be \"pond\"")
  }

  @Test func furtherFaultsAreCounted() {
    func problem(ofTimeouts count: Int) -> String? {
      let pebbles = (0..<count).map { "{\"name\": \"p\($0)\", \"timeout\": 0}" }
      let text = """
        {"format": "pond", "version": 1, "name": "boot", "onFailure": "ignore",
        "conditions": [], "pebbles": [\(pebbles.joined(separator: ", "))], "clusters": []}
        """
      let error = #expect(throws: JSONError.self) { try PondModel(json: text) }
      return error?.problem
    }

    #expect(problem(ofTimeouts: 1)?.contains("more") == false)
    #expect(problem(ofTimeouts: 2)?.hasSuffix("; and there is 1 more fault") == true)
    #expect(problem(ofTimeouts: 3)?.hasSuffix("; and there are 2 more faults") == true)
  }

  @Test func ofSeveralEqualNamesTheSecondIsThePlaceOfTheFault() {
    let text = """
      {"format": "pond", "version": 1, "name": "boot", "onFailure": "ignore", "conditions": [],
      "pebbles": [{"name": "a"},
      {"name": "a"},
      {"name": "a"}], "clusters": []}
      """

    let error = #expect(throws: JSONError.self) { try PondModel(json: text) }

    #expect(error?.line == 3, "\(error?.description ?? "")")
  }

  @Test func pebblesBeyondTheLimitAreRefused() throws {
    var limits = JSONLimits()
    limits.pebbles = 2

    let error = #expect(throws: JSONError.self) { try PondModel(json: document, limits: limits) }

    #expect(error?.problem == "there are more than 2 pebbles")
    #expect(error?.line == 8)
  }

  @Test func clustersBeyondTheDepthLimitAreRefused() throws {
    let tower = (0..<100).map { number in
      let parent = number == 0 ? "" : "\"parent\": \(number - 1), "
      return "{\"name\": \"n\", \(parent)\"first\": 0, \"count\": 0}"
    }
    let text = """
      {"format": "pond", "version": 1, "name": "", "onFailure": "ignore", "conditions": [],
      "pebbles": [], "clusters": [\(tower.joined(separator: ", "))]}
      """

    let error = #expect(throws: JSONError.self) { try PondModel(json: text) }

    #expect(error?.problem == "clusters are nested more than 64 deep")
  }

  @Test func aLongNameCannotBeRepeatedWithoutEnd() throws {
    let long = String(repeating: "n", count: 1_000_000)
    let inner = (0..<100).map { "{\"name\": \"\($0)\", \"parent\": 0, \"first\": 0, \"count\": 0}" }
    let text = """
      {"format": "pond", "version": 1, "name": "", "onFailure": "ignore", "conditions": [],
      "pebbles": [], "clusters": [{"name": "\(long)", "first": 0, "count": 0},
      \(inner.joined(separator: ",\n"))]}
      """

    let error = #expect(throws: JSONError.self) { try PondModel(json: text) }

    #expect(error?.problem == "the names of the clusters are too long together")
  }

  // A condition of one leaf is written out for each use, unless it is deep.
  @Test(arguments: ["{\"not\": $}", "{\"label\": \"l\", \"of\": $}", "{\"any\": [$]}"])
  func deepConditionsInManyPlacesTakeNoMoreTimeThanTheyAreLong(_ entry: String) throws {
    let count = 10_000
    let table = (0..<count).map { number in
      entry.replacing("$", with: number == 0 ? "{\"pebble\": 0, \"is\": []}" : "\(number - 1)")
    }
    let pebbles = (0..<count).map { "{\"name\": \"\($0)\", \"when\": \(count - 1 - $0 % 100)}" }
    let text = """
      {"format": "pond", "version": 1, "name": "", "onFailure": "ignore",
      "conditions": [\(table.joined(separator: ","))],
      "pebbles": [\(pebbles.joined(separator: ","))], "clusters": []}
      """

    let model = try PondModel(json: text)

    #expect(model.count == count)
    #expect(model.pond.network.rowCount < 40_000)
  }

  @Test func whatWouldBeTooLongWrittenOutIsRefused() {
    let small = (0..<16).map { "{\"label\": \"l\", \"of\": \($0 == 0 ? "true" : "\($0 - 1)")}" }
    let uses = String(repeating: "15,", count: 10_000)
    let text = """
      {"format": "pond", "version": 1, "name": "", "onFailure": "ignore",
      "conditions": [\(small.joined(separator: ",")), {"any": [\(uses)15]}],
      "pebbles": [], "clusters": []}
      """

    var limits = JSONLimits()
    limits.values = 100_000

    let error = #expect(throws: JSONError.self) { try PondModel(json: text, limits: limits) }

    #expect(error?.problem.contains("too long to be written out") == true)
  }
}

private let document = """
  {"format": "pond", "version": 1, "name": "boot", "maxConcurrent": 3, "onFailure": "cancelAll",
  "conditions": [
  {"not": {"pebble": 1, "is": ["skipped"]}},
  {"all": [{"pebble": 0, "is": ["succeeded"]}, 0]}],
  "pebbles": [
  {"name": "cache/a", "priority": 2, "uses": [{"exclusive": "key"}]},
  {"name": "cache/b", "timeout": 9, "uses": [{"resource": "r", "capacity": 2, "units": 1}]},
  {"name": "c", "when": 1, "service": false, "blocking": false, "optional": true}],
  "clusters": [
  {"name": "cache", "first": 0, "count": 2, "maxConcurrent": 1}]}
  """

private let faults: [(String, String, Int, String)] = [
  ("\"format\": \"pond\", ", "", 1, "has no \"format\""),
  ("\"version\": 1, ", "", 1, "has no \"version\""),
  ("\"version\": 1", "\"version\": 2", 1, "should be 1, the newest known here"),
  ("\"version\": 1", "\"version\": \"1\"", 1, "should be a number"),
  ("\"version\": 1", "\"version\": 1.0", 1, "without a point"),
  ("\"version\": 1", "\"version\": 99999999999999999999", 1, "should be from 1 to"),
  ("\"name\": \"boot\", ", "", 1, "has no \"name\""),
  ("\"name\": \"boot\"", "\"name\": null", 1, "should be a string"),
  ("\"name\": \"boot\"", "\"name\": \"boot\", \"name\": \"b\"", 1, "is here twice"),
  ("\"name\": \"boot\"", "\"name\": \"boot\", \"n\\u0061me\": \"b\"", 1, "is here twice"),
  ("\"name\": \"boot\"", "\"name\": \"boot\", \"nome\": 1", 1, "\"nome\" means nothing"),
  ("\"maxConcurrent\": 3", "\"maxConcurrent\": 0", 1, "should be from 1"),
  ("\"maxConcurrent\": 3", "\"maxConcurrent\": 1e1", 1, "or an exponent"),
  ("cancelAll", "cancel", 1, "should be \"ignore\""),
  ("{\"not\":", "{\"nor\":", 3, "\"all\", \"any\", \"not\""),
  ("{\"not\":", "{\"not\": 1, \"all\":", 3, "\"not\" means nothing"),
  ("[\"skipped\"]", "[\"skiped\"]", 3, "should be \"succeeded\""),
  ("[\"skipped\"]", "[\"skipped\", \"skipped\"]", 3, "is here twice"),
  ("\"pebble\": 1", "\"pebble\": 3", 3, "there is no pebble at position 3"),
  ("\"pebble\": 1", "\"pebble\": -1", 3, "should be from 0"),
  (", 0]}", ", 1]}", 4, "no condition before this one at position 1"),
  (", 0]}", ", null]}", 4, "should be a condition here"),
  ("\"when\": 1", "\"when\": 2", 8, "no condition before this one at position 2"),
  ("\"name\": \"c\", ", "", 8, "has no \"name\""),
  ("\"name\": \"c\"", "\"name\": \"\"", 8, "empty name"),
  ("\"name\": \"c\"", "\"name\": \"cache/a\"", 8, "2 pebbles are named \"cache/a\""),
  ("\"timeout\": 9", "\"timeout\": 0", 7, "has a timeout of"),
  ("\"timeout\": 9", "\"timeout\": -9", 7, "should be from 0"),
  ("\"timeout\": 9", "\"timeout\": 18446744073709551616", 7, "should be from 0"),
  ("\"capacity\": 2", "\"capacity\": 0", 7, "the capacity 0"),
  ("\"units\": 1", "\"units\": 3", 7, "use fewer"),
  ("\"resource\": \"r\"", "\"resource\": \"\"", 7, "resource"),
  ("\"service\": false", "\"service\": 0", 8, "should be true or false"),
  ("\"priority\": 2", "\"priority\": 9223372036854775808", 6, "should be from"),
  ("\"count\": 2", "\"count\": 4", 10, "positions 0 to 3"),
  ("\"count\": 2", "\"count\": 3", 8, "should start with \"cache/\""),
  ("\"first\": 0", "\"first\": 4", 10, "positions 0 to 3"),
  ("\"first\": 0", "\"parent\": 0, \"first\": 0", 10, "no cluster before this one"),
  ("\"name\": \"cache\"", "\"name\": \"\"", 1, "cluster without a name"),
  ("\"maxConcurrent\": 1}", "\"maxConcurrent\": 0}", 10, "should be from 1"),
  (
    "\"optional\": true",
    "\"cases\": [{\"kind\": \"failed\", \"name\": \"x\", \"exhaustive\": true}]", 8,
    "either all values are \"exhaustive\" or none, and no other cases"
  ),
  (
    "\"maxConcurrent\": 1}",
    """
    "maxConcurrent": 1},
    {"name": "x", "parent": 0, "first": 0, "count": 2},
    {"name": "y", "parent": 0, "first": 1, "count": 0}
    """, 12, "positions 2 to 2"
  ),
]
