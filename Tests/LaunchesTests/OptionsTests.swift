import Testing

@testable import launches

@Suite struct OptionsTests {
  @Test func noOptionsMeanDefaults() throws {
    #expect(try Options([]).values == [:])
  }

  @Test func everyOptionIsRead() throws {
    let options = try Options([
      "--launches", "l.json", "--cores=c.json", "--store", "s=1.json", "--dot", "g.dot", "--json",
      "--fail", "loadLaunches", "--fail", "loadCores", "--slow", "loadCores=0",
      "--slow=refreshScreens=20", "--record", "r.json",
      "--like", "e.json",
    ])

    let expected = [
      "--launches": "l.json", "--cores": "c.json", "--store": "s=1.json", "--dot": "g.dot",
      "--json": "", "--fail loadLaunches": "0", "--fail loadCores": "0", "--slow loadCores": "0",
      "--slow refreshScreens": "20", "--record": "r.json",
      "--like": "e.json",
    ]
    #expect(options.values == expected)
  }

  @Test func aValueMayBeginWithACombiningMark() throws {
    #expect(try Options(["--store=\u{301}s"]).values == ["--store": "\u{301}s"])
  }

  @Test func dotWithoutFileIsStandardOutput() throws {
    #expect(try Options(["--dot"]).values == ["--dot": ""])
    #expect(
      try Options(["--dot", "--fail", "loadCores"]).values
        == ["--dot": "", "--fail loadCores": "0"])
  }

  @Test(arguments: [["--help"], ["-h"], ["--json", "--help"], ["--nonsense", "--help"]])
  func helpIsHelpWhereverItStands(arguments: [String]) throws {
    #expect(try Options(arguments).values == ["--help": ""])
  }

  @Test func theVersionIsToldWhateverElseIsAsked() throws {
    #expect(try Options(["--version"]).values == ["--version": ""])
    #expect(try Options(["--version", "--nonsense"]).values == ["--version": ""])
    #expect(try Options(["--version", "-h"]).values == ["--help": ""])
    #expect(Options.help.contains("--version"))
  }

  @Test(arguments: [
    (["--nonsense"], "there is no option '--nonsense'"),
    (["file.json"], "'file.json' is not an option; give only options"),
    (["-"], "there is no option '-'"),
    (["--launches"], "--launches needs a file after it"),
    (["--launches", "--json"], "--launches needs a file after it"),
    (["--cores="], "the value of --cores is empty"),
    (["--store", "a", "--store", "b"], "--store is given twice"),
    (["--json", "--json"], "--json is given twice"),
    (["--json=yes"], "--json takes no value"),
    (["--retry=1"], "--retry takes no value"),
    (["--json", "--dot"], "--json and --dot without FILE both write to standard output"),
    (["--fail", "refreshScreens"], "--fail takes loadLaunches or loadCores, not 'refreshScreens'"),
    (["--fail", "loadCores", "--fail", "loadCores"], "--fail loadCores is given twice"),
    (["--slow", "loadCores"], "--slow takes NAME=MS, such as loadCores=500, not 'loadCores'"),
    (["--slow", "loadCores=1", "--slow", "loadCores=2"], "--slow loadCores is given twice"),
    (["\u{1B}[31m"], "'\u{FFFD}[31m' is not an option; give only options"),
  ])
  func whatIsNotUnderstoodIsAnError(arguments: [String], problem: String) {
    #expect(throws: Problem(problem)) { try Options(arguments) }
  }

  @Test(arguments: ["", "-1", "+1", "1.5", "0x10", " 1", "3600001", "99999999999999999999", "١"])
  func aDelayIsAWholeNumberWithinReason(number: String) {
    #expect(throws: Problem.self) { try Options(["--slow", "loadCores=\(number)"]) }
  }

  @Test func anUnknownPebbleIsAnsweredWithTheKnownOnes() {
    let error = #expect(throws: Problem.self) { try Options(["--slow", "ping=1"]) }

    for name in Boot.pebbleNames {
      #expect(error?.description.contains(name) == true)
    }
  }
}
