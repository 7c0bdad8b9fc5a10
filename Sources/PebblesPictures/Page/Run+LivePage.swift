import Pebbles
import PebblesAnalysis

extension Run {
  /// The run as a page for a browser while it is under way: the inspector page, which follows it.
  ///
  /// ```swift
  /// router.get("/boot") { _, _ in
  ///   HTML(run.livePage(events: "/boot/events", links: [PageLink("Home", to: "/")]))
  /// }
  /// ```
  ///
  /// At the address it asks for server-sent events, each with JSON as its data: first `status`,
  /// which is the `RunStatus` as it is encoded; then each `RunEvent` under the name of its
  /// kind, as it is encoded; and `over` once what is at the page's own address is the page of the
  /// ended run, which the page loads then. When the connection is lost the page says so and tries
  /// again, and a new `status` says how far the run has come meanwhile.
  ///
  /// The page's policy lets it ask nothing but its own server.
  ///
  /// - Parameters:
  ///   - address: Where the events are: relative to the page, or on the same server.
  ///   - links: The other pages of the site that it is part of, and perhaps the page itself.
  /// - Returns: The page.
  /// - Complexity: O(pebbles + atoms), as that of `status`.
  public func livePage(events address: String, links: [PageLink] = []) -> String {
    let live = LiveRun(model: PondModel(storage.pond), status: status, address: address)
    return InspectorPage(content: .live(live), links: links).text
  }
}

/// A run under way as its page begins with it.
struct LiveRun {
  let model: PondModel
  let status: RunStatus
  let address: String

  /// An object with the pond, how far it has come, and where to ask for the rest.
  var jsonBytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("events", address)
      writer.key("pond")
      PondModelWriter(model).write(to: &writer)
      writer.member("phase", "\(status.phase)")
      writer.member("elapsed", status.elapsed)
    }
    return writer.bytes
  }
}
