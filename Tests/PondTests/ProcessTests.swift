import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import pond

/// Tests of the program as users run it, in a separate process.
@Suite struct ProcessTests {
  private let folder: TemporaryFolder
  private let run: String

  init() throws {
    folder = try TemporaryFolder()
    run = try folder.write(try Samples.run().jsonBytes(), to: "run.json")
  }

  @Test func theStatusSaysWhetherSomethingWasFound() throws {
    #expect(try folder.pond(["show", run]).status == 0)
    let found = try folder.pond(["check", run, "--makespan", "1ms"])
    #expect(found.status == 1)
    #expect(found.output.contains("the run took 30 ms; 1 ms are allowed"))
    let wrong = try folder.pond(["shwo"])
    #expect(wrong.status == 2)
    #expect(
      wrong.error == "pond: there is no command 'shwo'; did you mean show?\nTry pond --help.\n")
    #expect(wrong.output == "")
  }

  @Test func standardInputIsADocument() throws {
    let result = try folder.pond(["chain", "-"], input: run)

    #expect(result.output.hasPrefix("longest chain: 30.0 ms of 30.0 ms\n"))
    #expect(try folder.pond(["show", "-"]).error.contains("there is nothing in it"))
    // What a name becomes on a command line if it is not UTF-8.
    #expect(try folder.pond(["show", "bad\u{FFFD}.json"]).error.contains("is not UTF-8"))
  }

  @Test func aPictureIsWrittenToItsFile() throws {
    let result = try folder.pond(["draw", run, "-o", folder.file("boot.dot")])

    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(try folder.text(of: "boot.dot").hasPrefix("digraph"))
    let nowhere = try folder.pond(["draw", run, "-o", folder.file("none/boot.dot")])
    #expect(nowhere.status == 2)
    #expect(nowhere.error.hasSuffix("boot.dot': no such file or directory\n"))
  }

  @Test func aClosedPipeEndsItQuietly() throws {
    for arguments in [
      ["show", run], ["draw", run], ["--help"], ["lint", run, "--also", "unhandledFailure"],
    ] {
      let result = try folder.pond(arguments, output: .closedPipe)

      #expect(result.isExit)
      #expect(result.status == (arguments[0] == "lint" ? 1 : 0))
      #expect(result.error == "")
    }
  }

  @Test func aPipeThatDoesNotWaitGetsTheWholeAnswer() throws {
    let pond = Pond("large")
    for number in 0..<5_000 { pond.pebble("a pebble of which there are many, \(number)") {} }
    let model = try folder.write(try pond.model().jsonBytes(), to: "model.json")
    let whole = try folder.pond(["draw", model]).output
    #expect(whole.utf8.count > 1 << 18)

    let result = try folder.pond(["draw", model], output: .nonBlockingPipe)

    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(result.output == whole)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func aFullDeviceIsAnError() throws {
    let result = try folder.pond(["show", run], output: .device("/dev/full"))

    #expect(result.status == 2)
    #expect(result.error == "pond: cannot write standard output: no space left on device\n")
  }

  @Test func anAnswerThatNobodyCanReadIsAnError() throws {
    let program = ProgramRun.executable("pond").path
    let shell = URL(fileURLWithPath: "/bin/sh")

    let result = try folder.run(shell, ["-c", "exec '\(program)' show '\(run)' >&-"])

    #expect(result.status == 2)
    #expect(result.error == "pond: cannot write standard output: bad file descriptor\n")
  }

  @Test(arguments: ["/dev/zero", "/"])
  func whatIsNoDocumentIsRefusedSoon(_ path: String) throws {
    let result = try folder.pond(["show", path])

    #expect(result.status == 2)
    #expect(result.error.hasPrefix("pond: cannot read '\(path)': "))
  }

  @Test func theSummaryOfAStepIsAppended() throws {
    _ = try folder.write(Array("before\n".utf8), to: "summary.md")
    let result = try folder.pond(
      ["check", run, "--format", "github"],
      environment: ["GITHUB_STEP_SUMMARY": folder.file("summary.md")])

    #expect(
      result.output == "::notice title=check::ping failed: no route; handled by offline\n")
    #expect(
      try folder.text(of: "summary.md")
        == """
        before
        ### pond check

        ```
        ✓ ended well, in 30.0 ms, with 1 failure that was handled
          ✗ ping failed: no route; handled by offline
        ```

        """)
  }
}
