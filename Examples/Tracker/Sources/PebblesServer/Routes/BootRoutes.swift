import Foundation
import Hummingbird
import Pebbles
import PebblesAnalysis
import PebblesPictures
import ServiceLifecycle

/// Adds what a person asks who waits for a boot, or wonders how it went.
///
/// - `/boot`: the inspector page of the run; while the boot is under way, one that follows it.
/// - `/boot/events`: what happens, as server-sent events: first `status`, the status as it is, then
///   each event under the name of its kind, as JSON; `over` once there is a report.
/// - `/boot.dot`: the graph, with what each pebble is at.
/// - `/boot.json`: the run, as the command-line tool `pond` reads it; 503 as long as it is under
///   way.
///
/// Pages and pictures are rendered once for all who ask, until something happens in the run; only
/// the graph of a boot under way is drawn anew, for it says how long pebbles have been running.
///
/// They tell what the pebbles and errors are called, so they are for those who run the service, not
/// for everybody: give them a router group with middleware of your own.
///
/// - Parameters:
///   - router: Where to.
///   - links: The pages of the site that the inspector page leads to.
///   - version: The version of the program, which the page of the ended run names.
///   - newest: The run asked about, each time that somebody asks: in the body of a pebble,
///     `PebbleContext.current?.run`, and the newest where runs are resumed.
public func addBootRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, links: [PageLink] = [], version: String? = nil,
  run newest: @autoclosure @escaping @Sendable () -> Run
) {
  let (page, graph, record) = (Rendering(), Rendering(), Rendering())
  router.get("/boot") { request, _ -> Response in
    // Its links are relative, so that it may be anywhere.
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
      throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: "still booting")
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
        // A client that has gone away is noticed even while nothing happens.
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
  // Before the status is read, so that nothing is missed between the two.
  let events = run.events(bufferingNewest: 1_024).cancelOnGracefulShutdown()
  try await writer.write(
    ServerSentEvent("status", try encoder.encode(run.status)).buffer)
  if await run.finishedReport != nil { try await writer.write(ServerSentEvent.over.buffer) }
  for await event in events {
    try await writer.write(
      ServerSentEvent(event.kind.name, try encoder.encode(event)).buffer)
    // A run that was cancelled has no report before who asks has gone, where that is inside of it.
    if event.kind == .runEnded, (try? await run.report) != nil {
      try await writer.write(ServerSentEvent.over.buffer)
    }
  }
}

extension Run {
  /// What happened, if the boot is over and the run is not being torn down: then the report may be
  /// one that comes only with the end of who asks.
  fileprivate var finishedReport: Report? {
    get async {
      switch status.phase {
      case .booting, .shuttingDown: nil
      default: try? await report
      }
    }
  }

  /// When it began, and where.
  fileprivate func origin(_ version: String?) -> RunOrigin {
    .here(since: Date() - status.elapsed / .seconds(1), version)
  }
}

/// One message of a `text/event-stream`.
struct ServerSentEvent {
  let buffer: ByteBuffer

  static let over = ServerSentEvent("over", Data("{}".utf8))

  /// - Parameters:
  ///   - name: A word.
  ///   - json: Without line ends, as it is if it is not written for people.
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
