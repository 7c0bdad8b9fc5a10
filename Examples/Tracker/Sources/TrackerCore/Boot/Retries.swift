import Logging
import Pebbles
import PebblesServer
import Synchronization

/// Tries again what the boot has lost, whenever somebody asks for that: the run is resumed, so what
/// had succeeded stays as it is, and visitors go on seeing what there is.
public final class Retries: Sendable {
  private let site: Site
  private let logger: Logger
  private let newest = Mutex<Run?>(nil)

  /// What came of asking.
  enum Answer: Sendable, Hashable {
    /// A run has begun, or still goes on.
    case underWay

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
  public var run: Run? { newest.withLock(\.self) }

  /// Resumes the newest run, unless there is nothing to be tried again.
  ///
  /// - Parameter first: The run of the boot.
  /// - Returns: Once it has begun, what came of it.
  func retry(_ first: Run) async -> Answer {
    let run = self.run ?? first
    if run.status.phase == .booting { return .underWay }
    if site.screen == .online { return .needless }
    do {
      // No run of the server that was asked, but of the program.
      let resumed = try await Task.detached { try await run.resumed(eventHistory: 1_000) }.value
      newest.withLock { $0 = resumed }
      Task.detached { [site, logger] in
        async let logged: Void = resumed.log(to: logger)
        let report = try await resumed.report
        report.record()
        logger.notice("tried again: \(site.screen)")
        await logged
      }
      return .underWay
    } catch {
      return .refused("\(error)")
    }
  }
}
