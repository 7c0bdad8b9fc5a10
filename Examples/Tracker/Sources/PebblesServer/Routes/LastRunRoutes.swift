import Foundation
import Hummingbird
import Pebbles
import PebblesAnalysis
import PebblesPictures
import Synchronization

/// The report of the last of many runs, for example of refreshes.
public final class LastRun: Sendable {
  private let kept = Mutex<(report: Report, started: Date)?>(nil)

  /// Creates an object without a run.
  public init() {}

  /// Keeps the report of a run, replacing the previous one.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - started: The start of the run.
  public func keep(_ report: Report, since started: Date) {
    kept.withLock { $0 = (report, started) }
  }

  /// The report of the last run, and its start; `nil` before the first run.
  var newest: (report: Report, started: Date)? { kept.withLock(\.self) }
}

/// Adds routes about the last of many runs: its inspector page at the path, and the run as the
/// command-line tool `pond` reads it at the path with `.json`. Before the first run, both are 404.
///
/// The page is rendered once for all clients. Like the routes of
/// ``addBootRoutes(to:links:version:run:)``, these are for operators of the service.
///
/// - Parameters:
///   - router: The router that gets the routes.
///   - path: The path of the page, such as `/boot/refresh`.
///   - last: The run to show.
///   - absence: The message to send before the first run.
///   - links: The pages of the site, linked from the inspector page.
///   - version: The version of the program, shown on the page.
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
  /// Returns an origin on this host.
  static func here(since started: Date, _ version: String?) -> RunOrigin {
    RunOrigin(
      started: .seconds(started.timeIntervalSince1970),
      host: ProcessInfo.processInfo.hostName, version: version)
  }
}
