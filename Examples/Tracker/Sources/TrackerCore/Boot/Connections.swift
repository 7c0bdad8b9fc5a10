import AsyncHTTPClient
import Hummingbird
import Logging
import Pebbles
import PebblesServer
import SitePages

/// Runs the HTTP server until the service is asked to stop.
///
/// - Throws: ``PortTaken`` or ``UnusableHost``; for other problems, the server's error.
func serve(
  _ site: Site, _ retries: Retries, _ settings: Settings, _ ready: ServiceReady<Int>,
  _ logger: Logger
) async throws {
  guard let run = PebbleContext.current?.run else { throw CancellationError() }
  let door = try FrontDoor(run, retries, site, SiteLayout())
  let server = Application(
    settings, responder: door, logger: logger, isClosing: { site.isClosing }
  ) { port in
    site.listens(on: port)
    logger.notice("listening on \(settings.address(on: port))/; how it boots: /boot")
    ready(port)
  }
  try await settings.listening { try await ready.run(server, logger: logger) }
}

/// Provides a feed client until the service is asked to stop. If the address is `nil`, runs a demo
/// feed for the client.
func connect(
  _ address: String?, _ ready: ServiceReady<FeedClient>, _ logger: Logger
) async throws {
  // Redirects are not followed: they may lead anywhere, and the client crashes on an impossible
  // port.
  var configuration = HTTPClient.Configuration()
  configuration.redirectConfiguration = .disallow
  // The pebble retries, not the client: otherwise the client would report a refused connection only
  // after its time limit.
  configuration.connectionPool.retryConnectionEstablishment = false
  try await HTTPClient.withHTTPClient(configuration: configuration) { client in
    if let address {
      ready(FeedClient(client, base: address))
      await ready.stopRequested()
    } else {
      let feed = try DemoFeed().server(logger: logger) { ready(FeedClient(client, base: $0)) }
      try await ready.run(feed, logger: logger)
    }
  }
}
