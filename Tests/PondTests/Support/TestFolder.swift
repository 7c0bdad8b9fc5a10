import Foundation

/// A folder that is gone with the test, and the real `pond` run in it.
final class TestFolder: Sendable {
  struct Ending {
    let status: Int32
    let isExit: Bool
    let output: String
    let error: String
  }

  enum OutputTarget {
    case file
    case device(String)
    /// A pipe that nothing reads any more.
    case closedPipe
  }

  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("pond-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func text(of name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// Runs a program to its end. What it writes goes through files, which do not fill up as pipes
  /// do.
  func run(
    _ program: URL, _ arguments: [String], input: String? = nil, output: OutputTarget = .file,
    environment: [String: String] = [:]
  ) throws -> Ending {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    // The rest of the environment stays, as sanitizers and profilers live in it.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["GITHUB_STEP_SUMMARY": ""].merging(environment) { _, given in given }
    ) { _, ours in ours }
    try write([], to: "output")
    try write([], to: "error")
    switch output {
    case .file: process.standardOutput = FileHandle(forWritingAtPath: path("output"))
    case .device(let path): process.standardOutput = FileHandle(forWritingAtPath: path)
    case .closedPipe:
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      process.standardOutput = pipe.fileHandleForWriting
    }
    process.standardError = FileHandle(forWritingAtPath: path("error"))
    process.standardInput =
      input.flatMap { FileHandle(forReadingAtPath: $0) } ?? FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Ending(
      status: process.terminationStatus, isExit: process.terminationReason == .exit,
      output: try text(of: "output"), error: try text(of: "error"))
  }

  func pond(
    _ arguments: [String], input: String? = nil, output: OutputTarget = .file,
    environment: [String: String] = [:]
  ) throws -> Ending {
    try run(
      Self.executable, arguments, input: input, output: output, environment: environment)
  }

  /// The program is built beside the bundle of its tests.
  private static var executable: URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent("pond")
    #else
    return Bundle.main.bundleURL.appendingPathComponent("pond")
    #endif
  }
}
