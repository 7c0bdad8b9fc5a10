import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import pond

/// Tests of the output formats of commands, with arbitrary names of pebbles.
@Suite(.watched) struct FormatTests {
  private static let lines = [
    "show %", "why % 2", "blame %", "chain %", "whatif % --fail 1", "endings %", "lint %",
    "laws %", "laws % --end *", "compare % %", "check %", "draw %", "draw % --as mmd",
  ]

  private func session(isTerminal: Bool = false) async throws -> (Session, [String]) {
    let run = try await Samples.hostileRun()
    return (
      Session(["%": run.jsonBytes()], isTerminal: isTerminal, columns: 40), run.model.names
    )
  }

  /// Returns the words of a command line, in which numbers of pebbles are replaced with names.
  private func words(_ line: String, _ names: [String]) -> [String] {
    line.split(separator: " ").map { Int($0).map { names[$0] } ?? String($0) }
  }

  @Test(arguments: lines)
  func noEscapeSequenceOfAFileReachesATerminal(_ line: String) async throws {
    let (session, names) = try await session(isTerminal: true)
    for color in ["always", "never"] {
      let result = session.run(words(line, names) + ["--color", color])

      #expect(result.status != 2, "\(result.error)")
      let text = result.output.replacing(/\u{1B}\[[0-9]{1,2}m/, with: "")
      let odd = text.unicodeScalars.filter {
        $0.properties.generalCategory == .control && $0 != "\n"
      }
      #expect(odd.isEmpty, "\(text)")
      #expect(!text.contains("\u{202E}"))
      if color == "never" { #expect(text == result.output) }
    }
  }

  @Test(arguments: lines.filter { !$0.hasPrefix("draw") })
  func inJSONEveryAnswerIsOneDocument(_ line: String) async throws {
    let (session, names) = try await session()

    let result = session.run(words(line, names) + ["--json"])

    #expect(result.error == "")
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    #expect((object as? [String: Any])?.isEmpty == false)
    #expect(
      !result.output.unicodeScalars.contains {
        $0.properties.generalCategory == .control && $0 != "\n"
      })
  }

  @Test func onGitHubEachFindingIsOneCommandAndTheRestIsASummary() async throws {
    let (session, _) = try await session()
    for line in ["lint %", "laws % --end *", "compare % %", "check %"] {
      let result = Session(
        ["%": try await Samples.hostileRun().jsonBytes()],
        environment: ["GITHUB_STEP_SUMMARY": "summary.md"]
      ).run("\(line) --format github")
      _ = session

      for line in result.output.split(separator: "\n") {
        #expect(line.contains(/^(::(error|warning|notice) title=[^:,]*::|pond [a-z]+: nothing)/))
        #expect(line.ranges(of: /^::|\n::/).count <= 1)
      }
      let summary = try #require(result.files.first)
      #expect(summary.path == "summary.md")
      #expect(summary.isAppended)
      let fence = try #require(summary.text.firstMatch(of: /\n(`{3,})\n/)?.output.1)
      #expect(summary.text.components(separatedBy: "\n").filter { $0.hasPrefix(fence) }.count == 2)
    }
  }

  @Test func onGitHubNoTextOfAFileIsACommand() throws {
    let pond = Pond("::error::boot")
    pond.pebble("##[error]load") {}
    let files = ["a": try pond.model().jsonBytes()]

    let here = Session(files).run("show a").output
    let there = Session(files, environment: ["GITHUB_ACTIONS": "true"]).run("show a").output

    #expect(here.hasPrefix("::error::boot") && here.contains("##[error]load"))
    #expect(there.hasPrefix("\\u{3A}:error::boot") && there.contains("#\\u{23}[error]load"))
    #expect(!there.contains("##["))
  }

  /// A document has the same text everywhere: a log may show it later.
  @Test(arguments: Picture.names.map { "draw % --as \($0)" } + ["show % --json"])
  func noTextOfADocumentIsACommandOnGitHub(_ line: String) async throws {
    let pond = Pond("##[error]boot")
    let load = pond.pebble("##[error]load") { throw Breakdown("##[error]no") }
    pond.pebble("::error::show", when: load.succeeded.labeled("\n::error::label")) {}
    let run = try await pond.run().recorded()

    let output = Session(["%": run.jsonBytes()]).run(line).output

    #expect(output.contains("error"))
    #expect(!output.unicodeScalars.contains("##[".unicodeScalars))
    #expect(!output.split(whereSeparator: \.isNewline).contains { $0.contains(/^\s*::error/) })
  }

  @Test func findingsBecomeAnnotations() throws {
    let result = try Session.withSamples().run(
      ["laws", "boot.json", "--format", "github", "never showOffline.completed"])

    #expect(
      result.output == "::error title=broken law::never showOffline.completed%0A"
        + "broken in 48 of 368 endings%0Abroken if these fail: loadToken, ping\n")
    #expect(result.files == [])
    #expect(result.status == 1)
  }

  @Test func annotationsHaveALimit() async throws {
    let pond = Pond("many")
    for number in 0..<60 { pond.pebble("\(number)") { throw Breakdown("no") } }
    let run = try await pond.run().recorded()

    let output = Session(["run": run.jsonBytes()]).run("check run --format github").output

    let lines = output.split(separator: "\n")
    #expect(lines.count == 51)
    #expect(lines.last == "::notice title=check::… and 10 more like these")
  }

  @Test(arguments: [
    ("auto", [:], true, true), ("auto", [:], false, false), ("always", [:], false, true),
    ("never", [:], true, false), ("auto", ["NO_COLOR": "1"], true, false),
    ("auto", ["NO_COLOR": ""], true, true), ("always", ["NO_COLOR": "1"], true, true),
    ("auto", ["TERM": "dumb"], true, false),
  ])
  func coloursAreWhereTheyAreWanted(
    _ choice: String, _ environment: [String: String], isTerminal: Bool, isColored: Bool
  ) throws {
    let session = Session(
      ["a": try Samples.run().jsonBytes()], environment: environment, isTerminal: isTerminal)

    let output = session.run("show a --color \(choice)").output

    #expect(output.contains("\u{1B}[") == isColored)
  }
}
