import Foundation
import Hummingbird
import Pebbles
import PebblesAnalysis
import PebblesPictures
import ServiceLifecycle

/// Adds routes that show a boot to people who wait for it or investigate it.
///
/// - `/boot`: the run's inspector page; while the boot or the shutdown is under way, a page that
///   follows its progress.
/// - `/boot/events`: the run as server-sent events. The first is `status`, with the current status
///   as JSON. Then each event of the run is sent as JSON, under the name of its kind. Once the
///   boot or the shutdown is over, `over` is sent.
/// - `/boot.dot`: the graph, with the state of each pebble.
/// - `/boot.json`: the run, in the format read by the command-line tool `pond`; the status is 503
///   while the boot or the shutdown is under way.
///
/// All clients are sent the same rendered page or picture until something happens in the run. As an
/// exception, the graph is drawn again for each request while the boot or the shutdown is under
/// way, because it shows how long pebbles have been running.
///
/// The routes expose the names of pebbles and errors, so they are meant for operators of the
/// service. Add them to a router group with your own middleware.
///
/// - Parameters:
///   - router: The router that gets the routes.
///   - links: The pages of the site, linked from the inspector page.
///   - version: The version of the program, shown on the page once the run has ended.
///   - newest: The run to show: in the body of a pebble, `PebbleContext.current?.run`; if runs are
///     resumed, the newest run. The expression is evaluated for each request.
public func addBootRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, links: [PageLink] = [], version: String? = nil,
  run newest: @autoclosure @escaping @Sendable () -> Run
) {
  let (page, graph, record) = (Rendering(), Rendering(), Rendering())
  router.get("/boot") { request, _ -> Response in
    // The links of the page are relative, so that the route can be anywhere.
    if request.uri.path.hasSuffix("/") { return .redirect(to: "../boot", type: .normal) }
    let run = newest()
    let report = await run.finishedReport
    let bytes = await page.bytes(of: run, report) {
      report?.recorded(from: run.origin(version)).page(links: links)
        ?? run.livePage(events: "boot/events", links: links)
    }
    return Response(bytes, .html)
  }
  router.get("/boot.dot") { _, _ in
    let run = newest()
    guard let report = await run.finishedReport else {
      return Response(ByteBuffer(string: run.dot()), .dot)
    }
    return Response(await graph.bytes(of: run, report) { report.dot() }, .dot)
  }
  router.get("/boot.json") { _, _ in
    let run = newest()
    guard let report = await run.finishedReport else {
      throw HTTPError(
        .serviceUnavailable, headers: [.retryAfter: "1"],
        message: "the boot or the shutdown is under way")
    }
    return Response(
      await record.bytes(of: run, report) {
        report.recorded(from: run.origin(version)).json()
      }, .json)
  }
  router.get("/boot/events") { request, _ in
    Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        // Detects that a client has gone even while nothing happens.
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          try await tell(newest(), to: &writer)
        }
        try await writer.finish(nil)
      })
  }
}

private func tell(_ run: Run, to writer: inout any ResponseBodyWriter) async throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  // Observed before the status is read, so that no event in between is missed.
  let events = run.events(bufferingNewest: 1_024).cancelOnGracefulShutdown()
  try await writer.write(
    ServerSentEvent("status", try encoder.encode(run.status)).buffer)
  var isOver = await run.finishedReport != nil
  if isOver { try await writer.write(ServerSentEvent.over.buffer) }
  for await event in events {
    try await writer.write(
      ServerSentEvent(event.kind.rawValue, try encoder.encode(event)).buffer)
    if !isOver, await run.isOver(after: event.kind) {
      isOver = true
      try await writer.write(ServerSentEvent.over.buffer)
    }
  }
}

extension Run {
  /// The report; `nil` while the run is booting or shutting down. In these phases, this property
  /// does not wait for the report, because a pebble of the run would wait for its own end.
  fileprivate var finishedReport: Report? {
    get async {
      switch status.phase {
      case .booting, .shuttingDown: nil
      default: try? await report
      }
    }
  }

  /// Returns whether there is a finished report after an event of the given kind. Waits for the
  /// report if the event announces it.
  fileprivate func isOver(after event: RunEvent.Kind) async -> Bool {
    switch event {
    // The event may be a kept one of a run that is shutting down by now. If the caller is a pebble
    // of the run, the report of a cancelled run comes only after that pebble has ended.
    case .runEnded:
      if status.phase == .shuttingDown { false } else { (try? await report) != nil }
    case .shutdownEnded: (try? await shutdown()) != nil
    default: false
    }
  }

  /// Returns the origin of the run: its start, this host, and the version of the program.
  fileprivate func origin(_ version: String?) -> RunOrigin {
    .here(since: Date() - status.elapsed / .seconds(1), version)
  }
}

/// A message in a `text/event-stream`.
struct ServerSentEvent {
  let buffer: ByteBuffer

  static let over = ServerSentEvent("over", Data("{}".utf8))

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - name: The name of the event, a single word.
  ///   - json: The data, without line breaks.
  init(_ name: String, _ json: Data) {
    var buffer = ByteBuffer()
    buffer.writeString("event: \(name)\ndata: ")
    buffer.writeBytes(json)
    buffer.writeString("\n\n")
    self.buffer = buffer
  }
}

extension Response {
  enum Kind: String {
    case html = "text/html; charset=utf-8"
    case dot = "text/vnd.graphviz; charset=utf-8"
    case json = "application/json"
  }

  init(_ bytes: ByteBuffer, _ kind: Kind) {
    self.init(
      status: .ok, headers: [.contentType: kind.rawValue, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: bytes))
  }
}
