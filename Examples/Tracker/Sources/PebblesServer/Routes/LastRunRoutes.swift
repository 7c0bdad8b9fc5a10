import Foundation
import Hummingbird
import Pebbles
import PebblesAnalysis
import PebblesPictures
import Synchronization

/// What happened in the last of many runs, such as those of a refresh.
public final class LastRun: Sendable {
  private let kept = Mutex<(report: Report, started: Date)?>(nil)

  /// Makes one before the first run.
  public init() {}

  /// Takes over what happened in a run, and forgets the one before.
  ///
  /// - Parameters:
  ///   - report: What happened.
  ///   - started: When the run began.
  public func keep(_ report: Report, since started: Date) {
    kept.withLock { $0 = (report, started) }
  }

  /// What happened, and when that began; `nil` before the first run.
  var newest: (report: Report, started: Date)? { kept.withLock(\.self) }
}

/// Adds what a person asks who wonders how the last of many runs went: its inspector page at the
/// path, and the run as the command-line tool `pond` reads it at the path with `.json`. Before the
/// first run both are 404.
///
/// The page is rendered once for all who ask. Like those of
/// ``addBootRoutes(to:links:version:run:)`` these are for those who run the service.
///
/// - Parameters:
///   - router: Where to.
///   - path: Where the page is, such as `/boot/refresh`.
///   - last: The run asked about.
///   - absence: What is said before the first run, as a clause.
///   - links: The pages of the site that the inspector page leads to.
///   - version: The version of the program, which the page names.
public func addLastRunRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, at path: String, of last: LastRun, absence: String,
  links: [PageLink] = [], version: String? = nil
) {
  @Sendable func answer(
    _ kind: Response.Kind, _ rendering: Rendering, _ text: @Sendable (RecordedRun) -> String
  ) async throws -> Response {
    guard let (report, started) = last.newest else {
      throw HTTPError(.notFound, message: absence)
    }
    let bytes = await rendering.bytes(of: report) {
      text(report.recorded(from: .here(since: started, version)))
    }
    return Response(bytes, kind)
  }
  let (page, record) = (Rendering(), Rendering())
  router.get(RouterPath(path)) { _, _ in try await answer(.html, page) { $0.page(links: links) } }
  router.get(RouterPath(path + ".json")) { _, _ in
    try await answer(.json, record) { $0.json() }
  }
}

extension RunOrigin {
  /// Where this process runs.
  static func here(since started: Date, _ version: String?) -> RunOrigin {
    RunOrigin(
      started: .seconds(started.timeIntervalSince1970),
      host: ProcessInfo.processInfo.hostName, version: version)
  }
}
