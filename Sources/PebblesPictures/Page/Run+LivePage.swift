import Pebbles
import PebblesAnalysis

extension Run {
  /// Returns the run as a page for a browser while the run is under way: an inspector page that
  /// follows the run.
  ///
  /// ```swift
  /// router.get("/boot") { _, _ in
  ///   HTML(run.livePage(events: "/boot/events", links: [PageLink("Home", to: "/")]))
  /// }
  /// ```
  ///
  /// The page asks the address for server-sent events, each with JSON as its data. The first event
  /// is `status`, an encoded `RunStatus`. Each following event is an encoded `RunEvent`, named
  /// after its kind. The last event is `over`. The server sends it once the address of the live
  /// page leads to the page of the ended run, which the browser then loads. When the connection is
  /// lost, the page says so and tries again, and a new `status` contains everything that has
  /// happened in the meantime.
  ///
  /// The content security policy of the page allows connections only to its own server.
  ///
  /// - Parameters:
  ///   - address: The address of the events: relative to the page, or on the same server.
  ///   - links: The pages of the site that this page belongs to, possibly including itself.
  /// - Returns: The page.
  /// - Complexity: O(pebbles + atoms), the same as for `status`.
  public func livePage(events address: String, links: [PageLink] = []) -> String {
    let live = LiveRun(model: PondModel(storage.pond), status: status, address: address)
    return InspectorPage(content: .live(live), links: links).text
  }
}

/// The data that the page of a run under way contains when it is created: an object with the pond,
/// the progress of the run, and the address of its events.
struct LiveRun: JSONWritable {
  let model: PondModel
  let status: RunStatus
  let address: String

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("events", address)
      writer.member("pond", PondModelWriter(model))
      writer.member("phase", status.phase.rawValue)
      writer.member("elapsed", status.elapsed)
    }
  }
}
