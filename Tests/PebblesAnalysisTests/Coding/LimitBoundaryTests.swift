import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests that a document exactly at a limit is read, and that one just beyond the limit is
/// rejected.
@Suite struct LimitBoundaryTests {
  @Test func aPebbleHasAtMost64Cases() throws {
    func read(_ count: Int) throws -> PondModel {
      let cases = (0..<count).map { "{\"kind\": \"failed\", \"name\": \"c\($0)\"}" }
      return try PondModel(
        json: pond(pebbles: "{\"name\": \"a\", \"cases\": [\(cases.joined(separator: ", "))]}"))
    }

    #expect(try read(64).cases(at: 0).count == 64)
    let error = #expect(throws: JSONError.self) { try read(65) }
    #expect(error?.problem == "a pebble has at most 64 cases")
  }

  /// Checks the limit for the total length of the names of clusters. The name of an inner cluster
  /// counts with the name of its outer cluster, which it repeats.
  @Test func theNamesOfClustersAreAsLongTogetherAsADocumentMayBe() throws {
    let outer = String(repeating: "o", count: 1_000)
    let inner = (0..<9).map { "{\"name\": \"\($0)\", \"parent\": 0, \"first\": 0, \"count\": 0}" }
    let text = pond(
      clusters: "{\"name\": \"\(outer)\", \"first\": 0, \"count\": 0}, "
        + inner.joined(separator: ", "))
    var limits = JSONLimits()

    limits.bytes = 1_000 + 9 * (1_000 + 1)
    _ = try PondModel(json: text, limits: limits)
    limits.bytes -= 1
    let error = #expect(throws: JSONError.self) { try PondModel(json: text, limits: limits) }
    #expect(error?.problem == "the names of the clusters are too long together")
  }

  /// Checks the limit for the total size of all conditions. An operator counts as one plus the size
  /// of its operands, and counts twice if it is used twice.
  @Test func allConditionsWrittenOutAreAsLongAsThereMayBeValues() throws {
    let uses = Array(repeating: "1", count: 100).joined(separator: ", ")
    let text = pond(
      conditions: "{\"label\": \"l\", \"of\": true}, {\"label\": \"l\", \"of\": 0}, "
        + "{\"any\": [\(uses)]}")
    var limits = JSONLimits()

    limits.values = 2 + 3 + (1 + 100 * 3)
    _ = try PondModel(json: text, limits: limits)
    limits.values -= 1
    let error = #expect(throws: JSONError.self) { try PondModel(json: text, limits: limits) }
    #expect(error?.problem == "with this one, the conditions are too long to be written out")
  }

  /// Checks the limit for the length of a string if the last character or escape sequence exceeds
  /// it by one or more bytes.
  @Test(arguments: ["abcd", "abä", "a€", "🪨", #"a\n"#, #"\u20ac"#, #"a\ud83d\ude80"#])
  func aStringIsAtMostAsLongAsAllowedHoweverItEnds(_ text: String) throws {
    let json = "\"\(text)\""
    var limits = JSONLimits()

    limits.stringBytes = text.utf8.count
    _ = try JSONDocument(json.utf8, limits: limits)
    limits.stringBytes -= 1
    let error = #expect(throws: JSONError.self) { try JSONDocument(json.utf8, limits: limits) }
    #expect(error?.problem == limits.problemWithString)
  }

  @Test func runsStandAtMost32DeepInEachOther() throws {
    func read(_ depth: Int) throws -> RecordedRun {
      try RecordedRun(json: runs(inside: depth), limits: .none)
    }

    #expect(try sequence(first: read(32)) { $0.nested.first?.run }.map(\.makespan).count == 33)
    let error = #expect(throws: JSONError.self) { try read(33) }
    #expect(error?.problem == "runs are nested more than 32 deep")
  }

  @Test func pebblesOfRunsInsideCountTowardTheLimit() throws {
    var limits = JSONLimits()

    limits.pebbles = 3
    _ = try RecordedRun(json: runs(inside: 2), limits: limits)
    limits.pebbles = 2
    let error = #expect(throws: JSONError.self) {
      try RecordedRun(json: runs(inside: 2), limits: limits)
    }
    #expect(error?.problem == "there are more than 2 pebbles")
  }

  @Test func shutdownsStandAtMost32DeepInEachOther() throws {
    let boot = Pond("boot")
    boot.pebble("load") {}
    func read(_ depth: Int) throws -> RecordedRun {
      let inside: [NestedShutdown] = (0..<depth).reduce([]) { inside, _ in
        [NestedShutdown(pebble: "load", pondName: "boot", duration: .zero, nested: inside)]
      }
      let run = try RecordedRun(
        model: boot.model(),
        pebbles: [
          RecordedPebble(
            name: "load", outcome: .succeeded, ready: .zero, started: .zero, finished: .zero)
        ], makespan: .zero, shutdown: RecordedShutdown(duration: .zero, nested: inside))
      return try RecordedRun(json: run.json(), limits: .none)
    }

    #expect(try read(32).shutdown?.nested.count == 1)
    let error = #expect(throws: JSONError.self) { try read(33) }
    #expect(error?.problem == "shutdowns are nested more than 32 deep")
  }

  @Test func numbersGoAsFarAsThoseOfTheMachine() throws {
    let boot = Pond("boot")
    boot.pebble("most", .priority(.max), .uses("lines", .max, of: .max)) {}
    boot.pebble("least", .priority(.min)) {}
    let model = try boot.model()

    let copy = try PondModel(json: model.json())

    #expect(copy.properties[0] == model.properties[0])
    #expect([0, 1].map(copy.priority(at:)) == [.max, .min])
    #expect(copy.limits.capacities == [.max])
  }

  @Test func numbersOfARunGoAsFarAsThoseOfTheMachine() throws {
    let boot = Pond("boot")
    boot.pebble("serve") {}
    let service = RecordedService(
      restarts: [RecordedServiceRestart(time: .zero, attempt: .max)], restartCount: .max)
    var run = try RecordedRun(
      model: boot.model(),
      pebbles: [
        RecordedPebble(
          name: "serve", outcome: .succeeded, ready: .zero, started: .zero, finished: .zero,
          service: service)
      ], makespan: .zero)
    run.deciders = [.max: .max]

    let copy = try RecordedRun(json: run.json())

    #expect(service.restartCount == .max)
    #expect(copy.pebbles[0].service == service)
    #expect(copy.deciders == [.max: .max])
  }

  /// Returns the document of a run of one pebble that contains the given number of runs, each
  /// nested in the previous one.
  private func runs(inside depth: Int) -> String {
    let end = "]}"
    let start = """
      {"format": "pond run", "version": 1, "makespan": 0, "pond":
      \(pond(pebbles: "{\"name\": \"a\"}")), "pebbles": [{"name": "a", "outcome": "succeeded",
      "ready": 0, "started": 0, "finished": 0}], "nested": [
      """
    let inner = String(repeating: "\(start){\"pebble\": 0, \"run\": ", count: depth)
    let ends = String(repeating: "}\(end)", count: depth)
    return "\(inner)\(start)\(end)\(ends)"
  }

  private func pond(
    conditions: String = "", pebbles: String = "", clusters: String = ""
  ) -> String {
    """
    {"format": "pond", "version": 1, "name": "boot", "onFailure": "ignore",
    "conditions": [\(conditions)], "pebbles": [\(pebbles)], "clusters": [\(clusters)]}
    """
  }
}
