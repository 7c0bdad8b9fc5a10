import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import pond

/// Tests of the line that is shown while an answer takes long.
@Suite(.watched) struct WaitingTests {
  @Test func theLineSaysHowLongAndHowFar() {
    let line = WaitLine(command: "endings")
    var progress = AnalysisProgress.State()

    #expect(
      line.text(after: .milliseconds(1_900), progress) == "pond endings: 1 s; Ctrl-C stops it")
    (progress.stage, progress.done, progress.total) = ("pebbles followed", 998, 1_005)
    progress.steps = 412_345
    #expect(
      line.text(after: .seconds(7), progress)
        == "pond endings: 7 s, 998 of 1005 pebbles followed, 412k steps; Ctrl-C stops it")
    #expect(
      line.stopped(after: .seconds(7), progress)
        == "pond endings: stopped after 7 s without an answer, 998 of 1005 pebbles followed")
    let hostile = WaitLine(command: "\u{1B}[31m").text(after: .zero, progress)
    #expect(!hostile.contains("\u{1B}"))
  }

  @Test func anAnalysisNotesHowFarItIs() throws {
    let pond = Pond("chain")
    var last = pond.pebble("0") {}
    for number in 1..<50 { last = pond.pebble("\(number)", when: last.succeeded) {} }
    let model = try pond.model()
    let progress = AnalysisProgress()

    _ = AnalysisProgress.$current.withValue(progress) { model.scenarios() }

    #expect(progress.state.stage == "pebbles followed")
    #expect(progress.state.done == 50)
    #expect(progress.state.total == 50)
  }

  @Test(
    .ownThreads, .enabled(if: Terminal.isInstalled, Comment(rawValue: Terminal.howToInstall)),
    arguments: [80, 60])
  func ctrlCStopsWhatTakesLongAndTheShellKnows(columns: Int) throws {
    try Terminal.using(columns: columns) { terminal in
      try terminal.folder.write(Self.hardPond, to: "hard.json")
      let program = ProgramRun.executable("pond").path
      try terminal.folder.write("exec '\(program)' endings hard.json\n", to: "go")

      try terminal.type("sh go")
      try terminal.wait("how far it is") { $0.contains("pebbles followed") }
      try terminal.press("C-c")
      try terminal.waitForPrompt()

      let lines = try terminal.everything.split(separator: "\n")
      #expect(lines.contains { $0.contains(/^pond endings: stopped after \d+ s without/) })
      #expect(!lines.contains { $0.contains("Ctrl-C stops it") })
      try terminal.type("echo status $?")
      try terminal.wait("the status") { $0.contains("status 130") }
    }
  }

  @Test func withoutATerminalNothingIsShown() throws {
    let folder = try TemporaryFolder()
    let run = try folder.write(try Samples.run().jsonBytes(), to: "run.json")

    let result = try folder.pond(["endings", run])

    #expect(result.error == "")
    #expect(!result.output.contains("\u{1B}"))
  }

  /// A pond with large diagrams. Its analysis takes far longer than any user would wait.
  private static let hardPond: String = {
    let count = 120
    let pebbles = (0..<count).map { "{\"name\": \"p\($0)\"}" }
    let terms = (0..<200).map { term in
      let places = [7 * term, 11 * term + 5, 13 * term + 9].map { "p\($0 % count).failed" }
      return "(\(places.joined(separator: " && ")))"
    }
    let sum = "{\"name\": \"sum\", \"when\": \"\(terms.joined(separator: " || "))\"}"
    return "{\"pebbles\": [\((pebbles + [sum]).joined(separator: ", "))]}"
  }()
}
