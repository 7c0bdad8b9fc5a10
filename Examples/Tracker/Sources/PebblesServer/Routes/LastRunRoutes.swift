import Foundation
import Hummingbird
import Pebbles
import PebblesAnalysis
import PebblesPictures
import Synchronization

/// A holder for the most recent report of a pond that runs repeatedly, such as a periodic refresh.
public final class LastRun: Sendable {
  private let kept = Mutex<(report: Report, started: Date)?>(nil)

  /// Creates a holder without a report.
  public init() {}

  /// Keeps the report of a run, and drops the previous report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - started: The start of the run.
  public func keep(_ report: Report, since started: Date) {
    kept.withLock { $0 = (report, started) }
  }

  /// The report and the start of the last run; `nil` before the first run.
  var newest: (report: Report, started: Date)? { kept.withLock(\.self) }
}

/// Adds two routes that show the most recent of many runs. The route at the given path sends the
/// run's inspector page. The route at the path with `.json` appended sends the run in the format
/// read by the command-line tool `pond`. Before the first run, the status of both is 404.
///
/// The page is rendered once for all clients. Like the routes added by
/// ``addBootRoutes(to:links:version:run:)``, these routes are meant for operators of the service.
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
  /// Returns the origin of a run that started at the given time on this host.
  static func here(since started: Date, _ version: String?) -> RunOrigin {
    RunOrigin(
      started: .seconds(started.timeIntervalSince1970),
      host: ProcessInfo.processInfo.hostName, version: version)
  }
}
