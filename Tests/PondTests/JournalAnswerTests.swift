import Pebbles
import PebblesAnalysis
import PebblesDurable
import PebblesTestSupport
import Synchronization
import Testing

@testable import pond

/// Tests of the answers about a run whose journal is incomplete.
@Suite(.watched) struct JournalAnswerTests {
  /// Returns the journal of a run of `load` and `show`, both cut off after the end of `load` and as
  /// a whole.
  private static func journals() async throws -> (cut: [UInt8], whole: [UInt8]) {
    let folder = try TemporaryFolder()
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("show", when: load.succeeded) {}
    let run = try await pond.start(journal: Journal(at: folder.file("boot.journal")))
    _ = try await run.report
    let text = try folder.text(of: "boot.journal")
    _ = try await run.shutdown()
    let lines = text.split(separator: "\n")
    let end = try #require(lines.firstIndex { $0.contains("\"entry\": \"ended\"") })
    let cut = lines[...end].map { $0 + "\n" }.joined()
    return (Array(cut.utf8), Array(text.utf8))
  }

  @Test func whatHadNotEndedIsNotSaidToBeCancelled() async throws {
    let (cut, whole) = try await Self.journals()
    let session = Session(["cut": cut, "whole": whole])

    let whatif = session.run("whatif cut --fail show")
    #expect(
      whatif.output == """
        1 pebble would end otherwise
          ✗ show  not ended before, now fails

        """)
    #expect(session.run("whatif cut --fail show --json").output.contains("\"notEnded\""))
    let shown = session.run("show cut --json").output
    #expect(shown.contains("\"outcome\": \"notEnded\", \"state\": \"had not begun\""))
    #expect(shown.contains("\"skipped\": 0") && shown.contains("\"notEnded\": 1"))
    #expect(session.run("compare whole cut --json").output.contains("\"after\": \"notEnded\""))
    let compared = session.run("compare whole cut")
    #expect(compared.output.contains("\nthe run after had not ended when its journal was read\n"))
    #expect(compared.output.contains("\nended otherwise\n  show: succeeded in "))
    #expect(compared.output.contains(" before, not ended after\n"))
    #expect(compared.output.hasSuffix("  ✗ 1 pebble succeeded before and had not ended\n"))
    for output in [whatif.output, compared.output, session.run("chain cut").output] {
      #expect(!output.contains("cancelled"), "\(output)")
    }
  }

  @Test func aRunThatGoesOnHasNeitherKeptALawNorBrokenIt() async throws {
    let (cut, whole) = try await Self.journals()
    let session = Session(["cut": cut, "whole": whole])
    let law = "always show.completed"

    #expect(session.run(["laws", "whole", law]).output.contains("\n  this run kept it\n"))
    #expect(!session.run(["laws", "cut", law]).output.contains("this run"))
    #expect(session.run(["laws", "cut", law, "--json"]).output.contains("\"keptByRun\": null"))
  }

  @Test func textThatIsNoEntryIsToldAndTheBeginningOfOneIsNot() async throws {
    let (cut, _) = try await Self.journals()
    let next = cut.count { $0 == UInt8(ascii: "\n") } + 1
    let sentence = "its journal cannot be read from line \(next) on, and was not\n"
    let shown = { (rest: String) in Session(["cut": cut + rest.utf8]).run("show cut") }

    for rest in ["garbage\n", "garbage", "\n", "0123abcd \(next) {\"entry\"\n", "0123abcd 99 {"] {
      #expect(shown(rest).output.contains(sentence), "\(rest)")
      #expect(shown(rest).status == 0)
    }
    for rest in ["", "0", "0123abcd", "0123abcd ", "0123abcd \(next) {\"entry\": \"ca"] {
      #expect(!shown(rest).output.contains(sentence), "\(rest)")
    }
  }

  /// Returns a request that reads the journal `whole`, with different limits for the lengths of
  /// journals and of other files.
  private static func request(
    _ limits: (cut: Int, journal: Int), _ whole: [UInt8]
  ) throws -> Request {
    let input = Mutex(whole)
    // What is read is gone, as it is of a pipe.
    let environment = Environment(read: { _, most throws(Problem) in
      input.withLock { input in
        let length = most(input) + 1
        defer { input = Array(input.dropFirst(length)) }
        return Array(input.prefix(length))
      }
    })
    let show = try #require(Command.all.first { $0.syntax.name == "show" })
    var request = Request(
      arguments: try Arguments(["-"], of: show.syntax), environment: environment)
    request.limits.bytes = limits.cut - 1
    request.journalLimit = limits.journal
    return request
  }

  @Test(arguments: ["-", "boot.journal"])
  func aLongJournalIsReadToItsEndOrNotAtAll(_ path: String) async throws {
    let (cut, whole) = try await Self.journals()

    let long = try Self.request((cut.count, whole.count), whole).run(named: path)
    let problem = #expect(throws: Problem.self) {
      try Self.request((cut.count, whole.count - 1), whole).run(named: path)
    }

    #expect(long.pebbles.map(\.outcome) == [.succeeded, .succeeded])
    #expect(
      problem?.description
        == "cannot read '\(path)': the journal is longer than \(whole.count - 1) bytes")
  }
}
