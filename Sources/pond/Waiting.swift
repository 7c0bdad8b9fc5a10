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

/// A progress line for commands that take a long time, shown if standard error is a terminal. The
/// line is rewritten in place, and erased when the work is done. If Ctrl-C stops the command, the
/// line is replaced with a message that says so.
///
/// The work runs on the calling thread. It records its progress in an `AnalysisProgress`, which
/// another thread polls.
final class Waiting: Sendable {
  private let line: WaitLine
  private let screen: ProgressScreen
  private let progress = AnalysisProgress()
  private let state = Mutex(State())

  private struct State: Sendable {
    /// The time at which the work started or last finished reading a file; `nil` while a file
    /// is being read. The time spent reading does not count, because the user may be typing the
    /// content of the file.
    var since: ContinuousClock.Instant?
    var shown = ""
    var isOver = false
  }

  /// The time that the work must take before the line is shown.
  private static let delayBeforeShowing = Duration.seconds(1)

  init(for command: String, on screen: ProgressScreen = .standardError) {
    line = WaitLine(command: command)
    self.screen = screen
  }

  /// Runs some work, shows its progress, and returns its result.
  func during<Value>(_ work: () -> Value) -> Value {
    guard case .terminal = screen.kind else { return work() }
    state.withLock { $0.since = .now }
    // Ctrl-C is not handled here if it is ignored, or has another handler.
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

  /// Calls a closure that reads a file, and returns its result. Timing restarts from zero when the
  /// closure returns; the time until then does not count.
  func reading<Value, Failure>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    state.withLock { $0.since = nil }
    defer { state.withLock { $0.since = .now } }
    return try read()
  }

  /// Shows the progress if the work has taken long enough, and returns whether the work is still in
  /// progress.
  private func show() -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      guard let elapsed = Self.elapsed(state) else { return true }
      // Short enough for the `^C` that the terminal appends, which must not wrap.
      let text = line.text(after: elapsed, progress.state)
        .cut(toColumns: max(screen.size().columns - 3, 1))
      if text != state.shown { screen.write("\r\(text)\u{1B}[K") }
      state.shown = text
      return true
    }
  }

  /// Returns the duration of the work; `nil` if it is too short for the line to be shown, or if a
  /// file is being read.
  private static func elapsed(_ state: State) -> Duration? {
    guard let since = state.since else { return nil }
    let elapsed = ContinuousClock.now - since
    return elapsed < delayBeforeShowing ? nil : elapsed
  }

  private func end() {
    state.withLock { state in
      state.isOver = true
      if !state.shown.isEmpty { screen.write("\r\u{1B}[K") }
    }
  }

  /// Replaces the line with a message that the command was stopped, and ends the process with the
  /// signal that Ctrl-C sends, so that the shell can determine the cause.
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
