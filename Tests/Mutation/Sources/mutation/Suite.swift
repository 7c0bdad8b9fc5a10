import Foundation

/// A suite of tests, alone in a process: what it costs, and which mutants it comes to.
struct Suite: Codable, Sendable {
  /// As the tests are listed, up to the last slash: `PebblesTests.ReadinessTests`.
  let name: String
  var tests: [String]
  var seconds = 0.0

  /// Whether it passes without any mutant.
  var passes = true
  var reached: Set<String> = []

  static func readAll(_ workplace: Workplace) throws -> [Suite] {
    guard FileManager.default.fileExists(atPath: workplace.suites) else {
      throw Failure("No suite is recorded for the mutants yet: run `Tests/mutate reach`.")
    }
    return try Workplace.read(workplace.suites).split(separator: "\n").compactMap {
      // The last line may be a part of one, if that was stopped.
      try? JSONDecoder().decode(Suite.self, from: Data($0.utf8))
    }
  }

  func append(to workplace: Workplace) throws {
    let data = try JSONEncoder().encode(self)
    try Workplace.append(String(decoding: data, as: UTF8.self) + "\n", to: workplace.suites)
  }

  /// What selects its tests, and those of no other suite.
  static func filter(_ names: [String]) -> String {
    let alternatives = names.map { name in
      name.replacing(".", with: #"\."#).replacing("(", with: #"\("#).replacing(")", with: #"\)"#)
    }
    return "^(\(alternatives.joined(separator: "|")))/"
  }

  /// Which of these suites a line of the output speaks of, by the name of its test.
  static func named(in line: String, among suites: [Suite]) -> Suite? {
    guard let test = line.firstRange(of: "Test ").map({ line[$0.upperBound...] }) else {
      return nil
    }
    return suites.first { suite in
      suite.tests.contains { test.hasPrefix($0.prefix { $0 != "(" } + "(") }
    }
  }
}

/// What says that a test fails.
struct TestProcess {
  let workplace: Workplace
  let suites: [String]
  var mutant: Int?
  var reach: String?
  var limit: Double
  var silenceLimit = Double.infinity
  var job = 0

  /// Runs the suites in one process.
  ///
  /// - Returns: How it ended, and the first line that says that a test has failed.
  func run() throws -> (end: ChildProcess.End, failure: String?) {
    var environment = ["SWIFT_BACKTRACE": "enable=no"]
    if let mutant { environment[ActiveMutant.variable] = "\(mutant)" }
    if let reach { environment[ActiveMutant.reachVariable] = reach }
    // What a killed test leaves behind is gone with the folder. Its path is a short one, as tests
    // read paths in messages, where long ones are elided.
    let temporary = "\(NSTemporaryDirectory())m\(getpid())-\(job)"
    try? FileManager.default.removeItem(atPath: temporary)
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: temporary) }
    environment["TMPDIR"] = temporary
    let child = ChildProcess(
      arguments: [
        workplace.tests, "--testing-library", "swift-testing", "--filter", Suite.filter(suites),
      ], environment: environment, limit: limit, silenceLimit: silenceLimit)
    var failure: String?
    let end = try child.run { line in
      guard Self.isFailure(line) else { return false }
      failure = line
      return true
    }
    return (end, failure)
  }

  private static func isFailure(_ line: String) -> Bool {
    line.contains("✘") && !line.contains("known issue")
      || line.contains("Fatal error") && !line.contains("Test ")
      || line.contains("error: These tests do not end")
  }
}
