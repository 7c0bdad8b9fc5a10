import Foundation
import Synchronization

/// The real program, under way.
final class RunningProgram: Sendable {
  private struct State {
    var output = ""
    var error = ""
    var status: Int32?
    var isExit = false
    var waiting: [(isOver: @Sendable (State) -> Bool, CheckedContinuation<Void, Never>)] = []
  }

  private let process: Process
  private let state = Mutex(State())

  /// Starts it, with nothing of the environment that is about the tracker.
  init(_ arguments: [String] = [], environment: [String: String] = [:]) throws {
    process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRACKER_") }
    process.environment = own.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    keep(output, in: \.output)
    keep(error, in: \.error)
    process.terminationHandler = { [weak self] process in
      self?.change {
        $0.status = process.terminationStatus
        $0.isExit = process.terminationReason == .exit
      }
    }
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Beside the bundle of the tests.
  private static var executable: URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent("tracker")
    #else
    return Bundle.main.bundleURL.appendingPathComponent("tracker")
    #endif
  }

  var output: String { state.withLock(\.output) }
  var error: String { state.withLock(\.error) }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits until it has written something, or ended.
  ///
  /// - Returns: Whether it has written that.
  @discardableResult
  func wrote(_ text: String) async -> Bool {
    await wait { $0.output.contains(text) || $0.error.contains(text) || $0.status != nil }
    return output.contains(text) || error.contains(text)
  }

  /// Where it listens, as it says; `nil` if it has ended without saying so.
  func address() async -> String? {
    guard await wrote("; how it boots") else { return nil }
    guard let start = error.range(of: "listening on ")?.upperBound else { return nil }
    return error[start...].split(separator: "/;").first.map(String.init)
  }

  /// Waits for its end, and for all it has written.
  ///
  /// - Returns: The status it exited with; `nil` if a signal ended it.
  func ended() async -> Int32? {
    await wait { $0.status != nil }
    return state.withLock { $0.isExit ? $0.status : nil }
  }

  private func keep(_ pipe: Pipe, in text: WritableKeyPath<State, String> & Sendable) {
    pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      self?.change { $0[keyPath: text] += String(decoding: data, as: UTF8.self) }
    }
  }

  private func change(_ change: (inout State) -> Void) {
    let ready = state.withLock { state in
      change(&state)
      let (over, others) = (
        state.waiting.filter { $0.isOver(state) }, state.waiting.filter { !$0.isOver(state) }
      )
      state.waiting = others
      return over
    }
    for (_, continuation) in ready { continuation.resume() }
  }

  private func wait(_ isOver: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if isOver(state) { return true }
        state.waiting.append((isOver, continuation))
        return false
      }
      if isNow { continuation.resume() }
    }
  }
}
