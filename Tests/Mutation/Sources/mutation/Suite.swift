import Foundation

/// A suite of tests, with the time that it takes alone in a process, and the mutants that it
/// reaches.
struct Suite: Codable, Sendable {
  /// The part of the listed names of its tests before the last slash, such as
  /// `PebblesTests.ReadinessTests`.
  let name: String
  var tests: [String]
  var seconds = 0.0

  /// Whether the suite passes without a mutant.
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

  /// Returns a filter that selects the tests of the given suites and no others.
  static func filter(_ names: [String]) -> String {
    let alternatives = names.map { name in
      name.replacing(".", with: #"\."#).replacing("(", with: #"\("#).replacing(")", with: #"\)"#)
    }
    return "^(\(alternatives.joined(separator: "|")))/"
  }

  /// Returns the suite of the test that a line of the output names; `nil` if there is none.
  static func named(in line: String, among suites: [Suite]) -> Suite? {
    guard let test = line.firstRange(of: "Test ").map({ line[$0.upperBound...] }) else {
      return nil
    }
    return suites.first { suite in
      suite.tests.contains { test.hasPrefix($0.prefix { $0 != "(" } + "(") }
    }
  }
}

/// A process that runs suites and detects failed tests.
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
  /// - Returns: The way in which the process ended, and the first line that reports a failed test.
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
