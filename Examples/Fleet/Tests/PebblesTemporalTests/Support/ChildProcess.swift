import Foundation

/// A child process that ends with this process, for whatever reason, unless it is killed earlier.
final class ChildProcess: Sendable {
  private let identifier: pid_t

  /// The pipe from which a shell reads. The shell kills the program when the pipe's writing end has
  /// been closed.
  private let lifeline: Pipe
  private let end: Task<Void, Never>

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: The arguments of the program.
  ///   - environment: Variables to set in addition to the environment of this process.
  /// - Throws: An error if the program cannot be started.
  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in ended.finish() }
    try process.runQuietly()
    identifier = process.processIdentifier
    end = Task { for await _ in ends {} }

    // Not one shell around both: it would wait for its child by a signal that may be blocked here.
    let (watch, lifeline) = (Process(), Pipe())
    watch.executableURL = URL(filePath: "/bin/sh")
    watch.arguments = ["-c", "read -r line; kill -9 \"$0\"", "\(identifier)"]
    watch.standardInput = lifeline
    self.lifeline = lifeline
    try watch.runQuietly()
  }

  /// Kills the program, and waits until it is gone.
  func kill() async {
    _ = Foundation.kill(identifier, SIGKILL)
    await end.value
    try? lifeline.fileHandleForWriting.close()
  }
}

extension Process {
  /// Starts the process without connecting it to the output of the tests. A reader of that output
  /// would otherwise also wait for the end of the process.
  fileprivate func runQuietly() throws {
    if standardInput == nil { standardInput = FileHandle.nullDevice }
    standardOutput = FileHandle.nullDevice
    standardError = FileHandle.nullDevice
    try runAlone()
  }
}
