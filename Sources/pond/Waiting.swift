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

/// Shows on standard error, if that is a terminal, that a command works that takes long: one line
/// that is rewritten, and goes when the answer comes. Ctrl-C leaves a line that says so.
///
/// The work is not asked: it goes on in the thread that called, and notes how far it is in an
/// `AnalysisProgress`; another thread looks at that.
final class Waiting: Sendable {
  private let line: WaitLine
  private let screen: ProgressScreen
  private let progress = AnalysisProgress()
  private let state = Mutex(State())

  private struct State: Sendable {
    /// Since when it works; `nil` while it waits for a file, which may be typed in.
    var since: ContinuousClock.Instant?
    var shown = ""
    var isOver = false
  }

  /// For how long nothing is shown.
  private static let patience = Duration.seconds(1)

  init(for command: String, on screen: ProgressScreen = .standardError) {
    line = WaitLine(command: command)
    self.screen = screen
  }

  /// Does some work, and shows that it goes on.
  func during<Value>(_ work: () -> Value) -> Value {
    guard case .terminal = screen.kind else { return work() }
    state.withLock { $0.since = .now }
    // Whoever has Ctrl-C ignored, or handled, is left alone.
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

  /// Reads something, which is no work.
  func reading<Value, Failure>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    state.withLock { $0.since = nil }
    defer { state.withLock { $0.since = .now } }
    return try read()
  }

  /// Shows how far it is.
  ///
  /// - Returns: Whether there may be more to show.
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

  /// How long it has worked, once that is worth a line.
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

  /// Ends the process as Ctrl-C does, so that a shell knows.
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
