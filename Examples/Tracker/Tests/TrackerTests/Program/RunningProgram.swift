import Foundation
import TrackerTestSupport

/// A program of this package, running in its own process. Its output goes to files, because pipes
/// can fill up.
final class RunningProgram {
  private let process = Process()
  private let folder: Folder

  /// The settings of the program, with few people, and with time limits that are sufficient even
  /// for a busy machine.
  private static let environment = [
    "TRACKER_PEOPLE_COUNT": "1000", "TRACKER_HTTP_TIMEOUT_SECONDS": "3600",
    "TRACKER_DATABASE_TIMEOUT_SECONDS": "3600", "TRACKER_MIGRATION_TIMEOUT_SECONDS": "3600",
    "TRACKER_FEED_TIMEOUT_SECONDS": "3600", "TRACKER_DRAIN_SECONDS": "3600",
    "TRACKER_SHUTDOWN_SECONDS": "7200", "TRACKER_DRAIN_DELAY_SECONDS": "0",
    "TRACKER_REFRESH_RETRY_SECONDS": "3600",
  ]

  /// Starts the program without the variables of the tracker in the environment of the test. If
  /// `isHeard` is `false`, its standard output is a pipe whose reading end is closed. `files` is
  /// the program's limit of open files.
  init(
    _ name: String, _ arguments: [String], environment: [String: String] = [:],
    isHeard: Bool = true, files: Int? = nil
  ) throws {
    folder = try Folder()
    let program = Self.folder.appendingPathComponent(name)
    if let files {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      let script = #"ulimit -n \#(files); exec "$0" "$@""#
      process.arguments = ["-c", script, program.path] + arguments
    } else {
      process.executableURL = program
      process.arguments = arguments
    }
    let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRACKER_") }
    process.environment = own.merging(Self.environment) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    for name in ["out", "err"] {
      _ = FileManager.default.createFile(atPath: folder.file(name), contents: nil)
    }
    process.standardOutput = FileHandle(forWritingAtPath: folder.file("out"))
    process.standardError = FileHandle(forWritingAtPath: folder.file("err"))
    if !isHeard {
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      process.standardOutput = pipe
    }
    try process.runAlone()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// The folder of the programs, which also contains the test bundle.
  private static var folder: URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent()
    #else
    return Bundle.main.bundleURL
    #endif
  }

  var output: String { text("out") }
  var error: String { text("err") }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: folder.file(name), encoding: .utf8)) ?? ""
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits until the program has written a string or has ended.
  ///
  /// - Returns: Whether the program has written the string.
  @discardableResult
  func wrote(_ text: String) async throws -> Bool {
    while true {
      // Read after it is seen to have ended, so that nothing is missed.
      let isOver = !process.isRunning
      if output.contains(text) || error.contains(text) { return true }
      if isOver { return false }
      try await look()
    }
  }

  /// Returns the address that the program prints; `nil` if it has ended without printing one.
  func address() async throws -> String? {
    guard try await wrote("; how it boots") else { return nil }
    let line = error.split(separator: "\n").first { $0.contains("; how it boots") }
    guard let line, let start = line.range(of: "listening on ")?.upperBound else { return nil }
    return line[start...].range(of: "/;").map { String(line[start..<$0.lowerBound]) }
  }

  /// Waits until the program has ended.
  ///
  /// - Returns: The exit status; `nil` if a signal ended the program.
  func ended() async throws -> Int32? {
    while process.isRunning { try await look() }
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }

  /// Waits briefly before the state of another process is checked again.
  private func look() async throws { try await Task.sleep(for: .milliseconds(5)) }
}
