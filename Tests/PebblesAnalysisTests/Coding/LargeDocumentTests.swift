import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that deep and large documents do not exhaust the stack, and take time proportional to
/// their size.
@Suite(.watched, .serialized) struct LargeDocumentTests {
  // Without optimization it all takes twenty times as long.
  #if DEBUG
  private let depth = Thoroughness.size(100_000)
  private let length = Thoroughness.size(10_000)
  #else
  private let depth = 1_000_000
  private let length = 100_000
  #endif

  @Test func aMillionOperatorsInEachOtherComeBack() throws {
    let pond = Pond("deep")
    let roots = (0..<10).map { pond.pebble("root\($0)") {} }
    var condition = roots[0].succeeded
    for level in 0..<depth {
      let atom = roots[level % 10].failed
      condition = level.isMultiple(of: 2) ? atom && condition : !condition
    }
    pond.pebble("last", when: !condition) {}
    let bytes = try pond.model().jsonBytes()

    let copy = try PondModel(json: bytes)

    #expect(copy.jsonBytes() == bytes)
  }

  @Test func aConditionSharedWithItselfSixtyTimesIsWrittenOnce() throws {
    let pond = Pond("shared")
    let root = pond.pebble("root") {}
    let both = (0..<60).reduce(root.succeeded) { condition, _ in condition && condition }
    pond.pebble("runs", when: both) {}
    let model = try pond.model()

    #expect(model.jsonBytes().count < 3_000)
    #expect(try PondModel(json: model.json()).json() == model.json())
  }

  @Test func aLongChainOfPebblesComesBackWithItsRun() async throws {
    let pond = Pond("chain")
    var last = pond.pebble("0") {}
    for number in 1..<length { last = pond.pebble("\(number)", when: last.succeeded) {} }
    let run = try await pond.run().recorded()

    let copy = try RecordedRun(json: run.jsonBytes())

    #expect(copy.pebbles == run.pebbles)
    #expect(copy.fault == nil)
  }

  @Test func runsInsideOfRunsAreRecordedEightDeep() async throws {
    var inner = Pond("0")
    inner.pebble("work") {}
    for level in 1...12 {
      let outer = Pond("\(level)")
      outer.pebble("nest") { [inner] in _ = try await inner.run() }
      inner = outer
    }
    let run = try await inner.run().recorded()

    let copy = try RecordedRun(json: run.json())

    #expect(copy.json() == run.json())
    var level = copy
    var depth = 0
    while let next = level.nested.first {
      level = next.run
      depth += 1
    }
    #expect(depth == 8)
    #expect(level.omittedNestedRuns == 1)
  }

  @Test func theUsualLimitsAreEnoughForNineteenRunsInEachOther() async throws {
    let enough = try await nested(19)
    let tooMany = try await nested(20)

    _ = try RecordedRun(json: enough)
    let error = #expect(throws: JSONError.self) { try RecordedRun(json: tooMany) }

    #expect(error?.problem == "lists and objects are nested more than 64 deep")
  }

  @Test func runsThatStandTooDeepAreRefused() async throws {
    let text = try await nested(40)

    let error = #expect(throws: JSONError.self) { try RecordedRun(json: text, limits: .none) }

    #expect(error?.problem == "runs are nested more than 32 deep")
    _ = try RecordedRun(json: try await nested(32), limits: .none)
  }

  /// Returns the document of a run that contains the given number of runs, each nested in the
  /// previous one.
  private func nested(_ depth: Int) async throws -> String {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    pond.pebble("nest", when: first.succeeded || first.failed) {}
    let run = try await pond.run().recorded().json()
    return (0..<depth).reduce(run) { inner, _ in
      run.replacing("\"nested\": []", with: "\"nested\": [{\"pebble\": 0, \"run\": \(inner)}]")
    }
  }
}
