import Foundation
import Synchronization

/// Workers that are processes of their own: this program again.
final class WorkerProcesses: Sendable {
  private struct State {
    var running: [pid_t] = []
    var killed = 0
    var isClosed = false
  }

  private let arguments: [String]
  private let state = Mutex(State())

  /// - Parameter arguments: What each is called with: a command, and its options.
  init(arguments: [String]) {
    self.arguments = arguments
  }

  /// How many were killed.
  var killed: Int { state.withLock(\.killed) }

  /// Starts one more.
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

  /// Kills a worker so that it can say nothing any more, and starts another one.
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

  /// Kills all, and starts no more.
  func endAll() {
    let all = state.withLock { state in
      state.isClosed = true
      defer { state.running = [] }
      return state.running
    }
    for identifier in all { kill(identifier, SIGKILL) }
  }

  /// The most memory that each has had at once since it was started, in bytes; none where the
  /// system does not say (it does in /proc).
  func largestMemory() -> [Int] {
    state.withLock(\.running).compactMap { identifier in
      let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        .map { $0 << 10 }
    }
  }
}
