import Logging
import Pebbles
import PebblesServer
import Synchronization

/// Tries again what the boot has lost, whenever somebody asks for that: the run is resumed, so what
/// had succeeded stays as it is, and visitors go on seeing what there is. Once there was a refresh,
/// it is another refresh that is asked for.
public final class Retries: Sendable {
  private let site: Site
  private let logger: Logger
  private let state = Mutex(State())

  private struct State {
    /// Of the boot, once it has been tried again.
    var newest: Run?

    /// Whether one is just being resumed.
    var isResuming = false
  }

  /// What came of asking.
  enum Answer: Sendable, Hashable {
    /// A run has begun, or still goes on.
    case underWay

    /// A refresh has begun, or is about to.
    case refreshing

    /// Nothing is missing.
    case needless

    /// Why not, as a sentence.
    case refused(String)
  }

  init(_ site: Site, _ logger: Logger) {
    self.site = site
    self.logger = logger
  }

  /// The newest run of the boot; `nil` before anything was tried again.
  public var run: Run? { state.withLock(\.newest) }

  /// Resumes the newest run, unless there is nothing to be tried again.
  ///
  /// - Parameter first: The run of the boot.
  /// - Returns: Once it has begun, what came of it.
  func retry(_ first: Run) async -> Answer {
    // Of many who ask at once, one resumes it; the others find it under way.
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
    // Of a boot that was whole there is nothing to resume. After a refresh, only another one knows
    // what is missing.
    let pebbles = run.status.pebbles
    let isWhole = pebbles.contains { $0.name == "online" && $0.state.kind == .succeeded }
    if isWhole || site.isRefreshed {
      site.wish(for: .refresh)
      return .refreshing
    }
    do {
      // No run of the server that was asked, but of the program.
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
  /// How much a person should know of it.
  fileprivate var level: Logger.Level { loss == nil ? .notice : .warning }
}
