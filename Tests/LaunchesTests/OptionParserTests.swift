import Testing

@testable import launches

@Suite struct OptionParserTests {
  @Test func noOptionsMeanDefaults() throws {
    #expect(try OptionParser.parse([]) == .run(Options()))
  }

  @Test func everyOptionIsRead() throws {
    let request = try OptionParser.parse([
      "--launches", "l.json", "--cores=c.json", "--store", "s=1.json", "--dot", "g.dot", "--json",
      "--fail", "loadLaunches", "--fail", "loadCores", "--slow", "loadCores=0",
      "--slow=refreshScreens=20",
    ])

    var expected = Options()
    expected.launchesFile = "l.json"
    expected.coresFile = "c.json"
    expected.storeFile = "s=1.json"
    expected.dot = .file("g.dot")
    expected.isJSON = true
    expected.failing = ["loadLaunches", "loadCores"]
    expected.delays = ["loadCores": .zero, "refreshScreens": .milliseconds(20)]
    #expect(request == .run(expected))
  }

  @Test func dotWithoutFileIsStandardOutput() throws {
    var expected = Options()
    expected.dot = .standardOutput
    #expect(try OptionParser.parse(["--dot"]) == .run(expected))

    expected.failing = ["loadCores"]
    #expect(try OptionParser.parse(["--dot", "--fail", "loadCores"]) == .run(expected))
  }

  @Test(arguments: [["--help"], ["-h"], ["--json", "--help"], ["--nonsense", "--help"]])
  func helpIsHelpWhereverItStands(arguments: [String]) throws {
    #expect(try OptionParser.parse(arguments) == .help)
  }

  @Test(arguments: [
    (["--nonsense"], "there is no option '--nonsense'"),
    (["file.json"], "'file.json' is not an option, and nothing else is taken"),
    (["-"], "there is no option '-'"),
    (["--launches"], "--launches needs a file after it"),
    (["--launches", "--json"], "--launches needs a file after it"),
    (["--cores="], "the value of --cores is empty"),
    (["--store", "a", "--store", "b"], "--store is given twice"),
    (["--json", "--json"], "--json is given twice"),
    (["--json=yes"], "--json takes no value"),
    (["--json", "--dot"], "--json and --dot without FILE both write to standard output"),
    (["--fail", "refreshScreens"], "--fail takes loadLaunches or loadCores, not 'refreshScreens'"),
    (["--fail", "loadCores", "--fail", "loadCores"], "--fail loadCores is given twice"),
    (["--slow", "loadCores"], "--slow takes NAME=MS, such as loadCores=500, not 'loadCores'"),
    (["--slow", "loadCores=1", "--slow", "loadCores=2"], "--slow loadCores is given twice"),
    (["\u{1B}[31m"], "'\u{FFFD}[31m' is not an option, and nothing else is taken"),
  ])
  func whatIsNotUnderstoodIsAnError(arguments: [String], problem: String) {
    #expect(throws: OptionError(problem: problem)) { try OptionParser.parse(arguments) }
  }

  @Test(arguments: ["", "-1", "+1", "1.5", "0x10", " 1", "3600001", "99999999999999999999", "١"])
  func aDelayIsAWholeNumberWithinReason(number: String) {
    #expect(throws: OptionError.self) { try OptionParser.parse(["--slow", "loadCores=\(number)"]) }
  }

  @Test func anUnknownPebbleIsAnsweredWithTheKnownOnes() {
    let error = #expect(throws: OptionError.self) { try OptionParser.parse(["--slow", "ping=1"]) }

    for name in Boot.pebbleNames {
      #expect(error?.description.contains(name) == true)
    }
    #expect(error?.description.contains("--help") == true)
  }
}
