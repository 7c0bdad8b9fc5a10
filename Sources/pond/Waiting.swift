#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Pebbles
import PebblesAnalysis
import PebblesPictures
import Synchronization

/// A line that shows that a command takes a long time, if standard error is a terminal. The line is
/// rewritten in place, and erased when the answer comes. If Ctrl-C stops the command, a line that
/// says so replaces it.
///
/// The work runs on the calling thread and does not call this object. It records its progress in an
/// `AnalysisProgress`, which another thread polls.
final class Waiting: Sendable {
  private let line: WaitLine
  private let screen: ProgressScreen
  private let progress = AnalysisProgress()
  private let state = Mutex(State())

  private struct State: Sendable {
    /// The start of the work; `nil` while it waits for a file, which a user may be typing.
    var since: ContinuousClock.Instant?
    var shown = ""
    var isOver = false
  }

  /// The time before anything is shown.
  private static let patience = Duration.seconds(1)

  init(for command: String, on screen: ProgressScreen = .standardError) {
    line = WaitLine(command: command)
    self.screen = screen
  }

  /// Runs some work and shows its progress.
  func during<Value>(_ work: () -> Value) -> Value {
    guard case .terminal = screen.kind else { return work() }
    state.withLock { $0.since = .now }
    // Ctrl-C is left alone if it is ignored or handled already.
    let isDefault = SignalDisposition.current(of: .interrupt)?.hasHandler(of: .byDefault) == true
    let watch = isDefault ? try? SignalWatch([.interrupt], handler: { _ in self.stop() }) : nil
    defer {
      watch?.cancel()
      end()
    }
    _ = SystemThread.start(named: "pond-waiting") {
      repeat { usleep(100_000) } while self.show()
    }
    return AnalysisProgress.$current.withValue(progress, operation: work)
  }

  /// Reads a file; the time does not count as work.
  func reading<Value, Failure>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    state.withLock { $0.since = nil }
    defer { state.withLock { $0.since = .now } }
    return try read()
  }

  /// Shows the progress if the work has taken long enough, and returns whether it is still under
  /// way.
  private func show() -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      guard let elapsed = Self.elapsed(state) else { return true }
      let text = line.text(after: elapsed, progress.state)
        .cut(toColumns: max(screen.size().columns - 1, 1))
      if text != state.shown { screen.write("\r\(text)\u{1B}[K") }
      state.shown = text
      return true
    }
  }

  /// Returns the duration of the work; `nil` if it is too short for a line, or a file is awaited.
  private static func elapsed(_ state: State) -> Duration? {
    guard let since = state.since else { return nil }
    let elapsed = ContinuousClock.now - since
    return elapsed < patience ? nil : elapsed
  }

  private func end() {
    state.withLock { state in
      state.isOver = true
      if !state.shown.isEmpty { screen.write("\r\u{1B}[K") }
    }
  }

  /// Ends the process as Ctrl-C does, so that the shell knows.
  private func stop() {
    state.withLock { state in
      if !state.isOver, !state.shown.isEmpty, let elapsed = Self.elapsed(state) {
        screen.write("\r\(line.stopped(after: elapsed, progress.state))\u{1B}[K\n")
      }
      state.isOver = true
    }
    SignalDisposition.byDefault.install(for: .interrupt)
    kill(getpid(), SIGINT)
  }
}
