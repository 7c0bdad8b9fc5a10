import Foundation
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import launches

/// Tests of the program as users run it, in a separate process.
@Suite(.ownThreads) struct ProgramTests {
  let folder: TemporaryFolder
  let program: Program

  init() throws {
    folder = try TemporaryFolder()
    program = Program(folder: folder)
  }

  @Test func withoutOptionsItShowsThreeScreensFromAnywhere() throws {
    let ending = try program.run([], workingDirectory: "/")

    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("Home\n────\n50 launches, loaded just now.\n"))
    #expect(ending.output.contains("\nLaunches, newest first\n"))
    #expect(ending.output.contains("\nRockets, most flown first\n"))
    #expect(ending.output.contains("FalconSat"))
    #expect(!ending.output.contains("\u{1B}"))
    #expect(ending.error.hasPrefix("boot: 3 succeeded in "))
    #expect(!ending.error.contains("\u{1B}"))
    #expect(try folder.text(of: "cache/swift-pond-launches/store.json").contains("FalconSat"))
  }

  @Test func failuresAndTheEndAreToldOnStandardError() throws {
    let lines = try program.run(["--fail", "loadCores"]).error.split(separator: "\n")

    #expect(lines.count == 2)
    #expect(lines[0] == "boot: loadCores failed: --fail loadCores asked for this")
    #expect(lines[1].hasPrefix("boot: 1 failed, 2 succeeded in "))
  }

  @Test func aRetryCallsWhatFailedAndWhatDependsOnItAndKeepsTheRest() throws {
    let ending = try program.run(["--fail", "loadLaunches", "--retry"])
    let json = try program.run(["--fail", "loadLaunches", "--retry", "--json"])
    let unneeded = try program.run(["--retry", "--json"])

    #expect(ending.status == 0)
    #expect(
      ending.output.hasPrefix(
        "Tried again: loadLaunches, refreshScreens. Kept: loadCores.\n\nHome\n"))
    #expect(ending.output.contains("50 launches, loaded just now."))
    #expect(
      ending.error.contains("boot: 1 failed, 2 succeeded in ")
        && ending.error.contains("boot: 2 succeeded, 1 kept in "))
    let decoder = JSONDecoder()
    let summary = try decoder.decode(JSONSummary.self, from: Data(json.output.utf8))
    #expect(summary.kept == ["loadCores"] && summary.launches == 50)
    #expect(summary.outcomes.values.allSatisfy { $0 == "succeeded" })
    let once = try decoder.decode(JSONSummary.self, from: Data(unneeded.output.utf8))
    #expect(once.kept == nil)
  }

  @Test func inJSONStandardOutputIsOneObject() throws {
    let ending = try program.run(["--json", "--fail", "loadCores"])

    let summary = try JSONDecoder().decode(JSONSummary.self, from: Data(ending.output.utf8))
    #expect(ending.status == 0)
    #expect(summary.launches == 50)
    #expect(summary.cores == 0)
    #expect(summary.outcomes["loadCores"] == "failed")
  }

  @Test func dotGoesToAFileOrInsteadOfTheScreens() throws {
    let toFile = try program.run(["--dot", folder.file("boot.dot")])
    let toOutput = try program.run(["--dot", "--slow", "loadCores=1"])

    #expect(toFile.output.hasPrefix("Home\n"))
    #expect(try folder.text(of: "boot.dot").hasPrefix("digraph "))
    #expect(toOutput.output.hasPrefix("digraph "))
    #expect(!toOutput.output.contains("Home"))
  }

  @Test func theRunIsRecordedBesideTheScreens() throws {
    let ending = try program.run(["--record", folder.file("run.json"), "--fail", "loadCores"])

    let run = try RecordedRun(json: folder.text(of: "run.json"))
    #expect(ending.output.hasPrefix("Home\n"))
    #expect(run.model.names == Boot.pebbleNames)
    #expect(run.failures.map(\.name) == ["loadCores"])
  }

  @Test func aRunIsNotRecordedOverWhatIsRead() throws {
    let run = try folder.write("before", to: "run.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: run)
    for option in ["--store", "--launches"] {
      for name in [run, folder.file("./run.json"), folder.file("link")] {
        let ending = try program.run([option, run, "--record", name])

        #expect(ending.status == 1)
        #expect(
          ending.error
            == "launches: --record \(name) would overwrite an input; name another file\n")
      }
    }
    #expect(try folder.text(of: "run.json") == "before")
  }

  /// Checks that no output overwrites the journal, because the next run reads it.
  @Test func nothingIsWrittenOverTheJournal() throws {
    let journal = folder.file("boot.journal")
    for option in ["--record", "--dot"] {
      let ending = try program.run(["--journal", journal, option, folder.file("./boot.journal")])

      #expect(ending.status == 1)
      #expect(
        ending.error
          == "launches: \(option) \(folder.file("./boot.journal")) would overwrite an input; "
          + "name another file\n")
    }
    #expect(try program.run(["--journal", journal]).status == 0)
  }

  @Test func staleScreensAreASuccessAndNoScreensAreNot() throws {
    let fail = ["--fail", "loadLaunches", "--fail", "loadCores"]

    let nothing = try program.run(fail)
    #expect(nothing.status == 1)
    #expect(nothing.output == "")
    #expect(nothing.error.contains("there is nothing to show: the store is empty"))

    _ = try program.run([])
    let stale = try program.run(fail)
    #expect(stale.status == 0)
    #expect(
      stale.output.contains("! The launches could not be loaded. The store has 50"))
  }

  @Test func anEarlierRunThatCannotBeReadIsNamed() throws {
    let ending = try program.run(["--like", "nosuch"])

    #expect(ending.status == 1)
    #expect(ending.output == "")
    #expect(ending.error == "launches: cannot use --like nosuch: no such file or directory\n")
  }

  @Test func wrongOptionsHaveAStatusAndASentence() throws {
    let ending = try program.run(["--colour"])

    #expect(ending.status == 2)
    #expect(ending.output == "")
    #expect(ending.error == "launches: there is no option '--colour'\nTry launches --help.\n")
  }

  @Test func helpNamesEveryOption() throws {
    let ending = try program.run(["--help"])

    #expect(ending.status == 0)
    #expect(ending.error == "")
    for option in [
      "launches", "cores", "store", "dot", "record", "like", "json", "fail", "slow", "help",
    ] {
      #expect(ending.output.contains("  --\(option) "))
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func aFullOutputIsAnError() throws {
    for arguments in [[], ["--json"], ["--dot"], ["--help"]] {
      let ending = try program.run(arguments, output: .device("/dev/full"))

      #expect(ending.status == 1, "\(arguments)")
      #expect(ending.error.contains("cannot write standard output: no space left on device"))
    }
    let ending = try program.run(["--dot", "/dev/full"])
    #expect(ending.status == 1)
    #expect(ending.error.contains("cannot write /dev/full: no space left on device"))
  }

  @Test func aStoreThatCannotBeWrittenIsAnError() throws {
    let file = try folder.write("", to: "a-file")
    let ending = try program.run(["--store", file + "/store.json"])

    #expect(ending.status == 1)
    #expect(ending.error.contains("a-file/store.json: not a directory"))
  }

  @Test func aStoreInNoFolderIsOneSentence() throws {
    let ending = try program.run(["--store", folder.file("nowhere/store.json")])

    #expect(ending.status == 1)
    #expect(ending.output == "")
    #expect(
      ending.error == "launches: the folder \(folder.file("nowhere")) of the store does not exist; "
        + "make it, or name a file in another with --store, and run again\n")
  }

  @Test func aClosedPipeEndsTheProgramQuietly() throws {
    for arguments in [[], ["--json"], ["--dot"], ["--help"]] {
      let ending = try program.run(arguments, output: .closedPipe)

      #expect(ending.isExit)
      #expect(ending.status == 0)
      #expect(!ending.error.contains("cannot write"))
    }
  }
}
