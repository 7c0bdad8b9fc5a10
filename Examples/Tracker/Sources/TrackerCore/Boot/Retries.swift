import Logging
import Pebbles
import PebblesServer
import Synchronization

/// An object that retries the lost parts of the boot on request. It resumes the run, so pebbles
/// that succeeded keep their results, and visitors continue to see the site. After the first
/// refresh or database check, or if the boot lost nothing, it requests a refresh instead.
public final class Retries: Sendable {
  private let site: Site
  private let logger: Logger
  private let state = Mutex(State())

  private struct State {
    /// The newest run of the boot; `nil` before the first retry.
    var newest: Run?

    /// Whether a run is currently being resumed.
    var isResuming = false
  }

  /// The answer to a retry request.
  enum Answer: Sendable, Hashable {
    /// A run has started, or is still under way.
    case underWay

    /// A refresh has started, or is about to start.
    case refreshing

    /// No retry is needed, because nothing is missing.
    case needless

    /// The retry was refused. The associated value is the reason, as a sentence.
    case refused(String)
  }

  init(_ site: Site, _ logger: Logger) {
    self.site = site
    self.logger = logger
  }

  /// The newest run of the boot; `nil` before the first retry.
  public var run: Run? { state.withLock(\.newest) }

  /// Resumes the newest run, or requests a refresh, unless there is nothing to retry.
  ///
  /// - Parameter first: The first run of the boot.
  /// - Returns: The answer, once the run has started.
  func retry(_ first: Run) async -> Answer {
    // If many clients ask at once, one of them resumes the run; the others find it under way.
    let isFirst = state.withLock { state in
      defer { state.isResuming = true }
      return !state.isResuming
    }
    guard isFirst else { return .underWay }
    defer { state.withLock { $0.isResuming = false } }
    let run = self.run ?? first
    if run.status.phase == .booting { return .underWay }
    if site.screen == .online { return .needless }
    if site.isClosing { return .refused("\(site.screen)") }
    // A complete boot has nothing to resume. After a refresh, only another refresh knows what is
    // missing.
    let pebbles = run.status.pebbles
    let isWhole = pebbles.contains { $0.name == "online" && $0.state.kind == .succeeded }
    if isWhole || site.isRefreshed {
      site.wish(for: .refresh)
      return .refreshing
    }
    do {
      // Detached, because the run belongs to the program, and not to the server that received the
      // request.
      let resumed = try await Task.detached { try await run.resumed(eventHistory: 1_000) }.value
      state.withLock { $0.newest = resumed }
      Task.detached { [site, logger] in
        async let logged: Void = resumed.log(to: logger)
        let report = try await resumed.report
        report.record()
        let screen = site.screen
        logger.log(level: screen.level, "tried again: \(screen)")
        await logged
      }
      return .underWay
    } catch {
      return .refused("\(error)")
    }
  }
}

extension Site.Screen {
  /// The log level for the screen.
  fileprivate var level: Logger.Level { loss == nil ? .notice : .warning }
}
