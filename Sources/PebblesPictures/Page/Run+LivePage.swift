import Pebbles
import PebblesAnalysis

extension Run {
  /// Returns an inspector page that shows the run in a browser and is updated as the run continues.
  ///
  /// ```swift
  /// router.get("/boot") { _, _ in
  ///   HTML(run.livePage(events: "/boot/events", links: [PageLink("Home", to: "/")]))
  /// }
  /// ```
  ///
  /// The page requests server-sent events from the given address. The data of each event is JSON.
  /// The first event is `status`, an encoded `RunStatus`. Each subsequent event is an encoded
  /// `RunEvent`, named after its kind. The last event is `over`, which makes the browser reload the
  /// address of the live page. The server must therefore send `over` only when it is ready to
  /// return the page of the ended run at that address. If the connection is lost, the page says so
  /// and reconnects. A new `status` then contains everything that has happened in the meantime.
  ///
  /// The page's content security policy allows connections only to its own server.
  ///
  /// - Parameters:
  ///   - address: The address of the events, relative to the page or on the same server.
  ///   - links: Links to the pages of the site, possibly including this page.
  /// - Returns: The page.
  /// - Complexity: O(pebbles + atoms), as for `status`, plus, in small ponds, the cost of
  ///   `scenarios()` for a warning about the ends.
  public func livePage(events address: String, links: [PageLink] = []) -> String {
    let live = LiveRun(model: PondModel(storage.pond), status: status, address: address)
    return InspectorPage(content: .live(live), links: links).text
  }
}

/// The initial data in a live page: an object with the pond, the progress of the run, and the
/// address of the run's events.
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
