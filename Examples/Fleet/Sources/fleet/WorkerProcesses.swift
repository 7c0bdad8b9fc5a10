import Foundation
import Synchronization

/// A manager of worker processes, each of which runs this program.
final class WorkerProcesses: Sendable {
  private struct State {
    var running: [pid_t] = []
    var killed = 0
    var isClosed = false
  }

  private let arguments: [String]
  private let state = Mutex(State())

  /// Creates a manager that has not started any processes.
  ///
  /// - Parameter arguments: The arguments of each process: a command, and its options.
  init(arguments: [String]) {
    self.arguments = arguments
  }

  /// The number of processes that have been killed.
  var killed: Int { state.withLock(\.killed) }

  /// Starts one more process.
  func start() throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let identifier = process.processIdentifier
    let isWanted = state.withLock { state in
      if !state.isClosed { state.running.append(identifier) }
      return !state.isClosed
    }
    if !isWanted { kill(identifier, SIGKILL) }
  }

  /// Kills a random worker without warning, and starts a new one in its place.
  func killOne() throws {
    let identifier: pid_t? = state.withLock { state in
      guard let victim = state.running.indices.randomElement() else { return nil }
      state.killed += 1
      return state.running.remove(at: victim)
    }
    guard let identifier else { return }
    kill(identifier, SIGKILL)
    try start()
  }

  /// Kills all workers. No further workers are started.
  func endAll() {
    let all = state.withLock { state in
      state.isClosed = true
      defer { state.running = [] }
      return state.running
    }
    for identifier in all { kill(identifier, SIGKILL) }
  }

  /// Returns the peak memory of each process, in bytes; empty if the system has no /proc.
  func largestMemory() -> [Int] {
    state.withLock(\.running).compactMap { identifier in
      let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        .map { $0 << 10 }
    }
  }
}
