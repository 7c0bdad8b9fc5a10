import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that errors of up to 500 characters and names of up to 60 characters are shown in full,
/// and that longer ones are cut.
@Suite(.watched) struct CutTextTests {
  private let text = String(repeating: "x", count: 500)
  private let name = String(repeating: "n", count: 60)

  private func expectCut(
    _ text: String, in sentence: (String) throws -> String?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (whole, cut) = (try sentence(text), try sentence(text + "x"))
    #expect(whole?.contains(text) == true, sourceLocation: sourceLocation)
    #expect(cut?.contains(text) == false, sourceLocation: sourceLocation)
    #expect(cut?.contains(text.dropLast() + "…") == true, sourceLocation: sourceLocation)
  }

  @Test func eventsCutErrors() throws {
    try expectCut(text) {
      RunEvent(time: .zero, .attemptFailed("a", attempt: 1, Breakdown($0))).description
    }
  }

  @Test func aServiceThatIsDownInsideCutsItsError() throws {
    try expectCut(text) {
      let end = ServiceEnd(time: .zero, error: Breakdown($0), wasAsked: false)
      return ServiceDownInside(path: ["a", "b"], end: end).description
    }
  }

  @Test func reportsCutErrorsAndTheNameOfTheirPond() async throws {
    var reports: [String: Report] = [:]
    for text in [text, text + "x"] {
      let pond = Pond("boot")
      pond.pebble("a") { throw Breakdown(text) }
      reports[text] = try await pond.run()
    }
    for name in [name, name + "x"] {
      let pond = Pond(name)
      pond.pebble("a") { throw Breakdown() }
      reports[name] = try await pond.run()
    }

    try expectCut(text) { reports[$0]?.record(named: "a")?.explanation }
    try expectCut(name) { name in
      try #require(throws: RunFailed.self) { try reports[name]?.check() }.description
    }
  }

  @Test func shutdownsCutErrors() async throws {
    var reports: [String: ShutdownReport] = [:]
    for text in [text, text + "x"] {
      let pond = Pond("boot")
      pond.pebble("a", teardown: { throw Breakdown(text) }) {}
      let run = try pond.start()
      _ = try await run.report
      reports[text] = try await run.shutdown()
    }

    try expectCut(text) { reports[$0]?.description }
    try expectCut(text) { text in
      try #require(throws: TeardownFailures.self) { try reports[text]?.check() }.description
    }
  }

  @Test func aGoalCutsTheNameOfAPebbleOfAnotherPond() async throws {
    var errors: [String: String] = [:]
    for name in [name, name + "x"] {
      let pond = Pond("boot")
      pond.goal = Pond("other").pebble(name) {}.succeeded
      let error = await #expect(throws: PondError.self) { try await pond.run() }
      errors[name] = error?.description
    }

    try expectCut(name) { errors[$0] }
  }

  @Test func asManyLinesAsThereMayBeNeedNoneThatSaysSo() async throws {
    for count in [200, 201] {
      let pond = Pond("boot")
      for number in 0..<count { pond.pebble("p\(number)") { throw Breakdown() } }

      let summary = try await pond.run().description

      #expect(summary.contains("… and") == (count > 200))
      #expect(summary.contains("… and 1 more") == (count > 200))
    }
  }
}
