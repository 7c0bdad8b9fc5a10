import Foundation

/// A program that ends with this process, however that does, and that can be killed so that nothing
/// of it is left.
final class ChildProcess: Sendable {
  private let identifier: pid_t

  /// A shell reads from it, and kills the program once nobody holds the end that writes any more.
  private let lifeline: Pipe
  private let end: Task<Void, Never>

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: What it is called with.
  ///   - environment: What is set beyond the environment of this process.
  /// - Throws: Why it cannot be started.
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
  /// Whoever reads what the tests print would wait for its end as well.
  fileprivate func runQuietly() throws {
    if standardInput == nil { standardInput = FileHandle.nullDevice }
    standardOutput = FileHandle.nullDevice
    standardError = FileHandle.nullDevice
    try runAlone()
  }
}
