import AsyncHTTPClient
import Hummingbird
import Logging
import Pebbles
import PebblesServer
import SitePages

/// Serves until it is asked to stop.
///
/// - Throws: ``PortTaken``, ``UnusableHost``; what else the server throws.
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

/// What feeds are read with, until it is asked to stop; without an address, a feed of our own.
func connect(
  _ address: String?, _ ready: ServiceReady<FeedClient>, _ logger: Logger
) async throws {
  // Where a feed says that it has moved may be anywhere, and the client ends the process at a port
  // that no machine has.
  var configuration = HTTPClient.Configuration()
  configuration.redirectConfiguration = .disallow
  // To try again is up to the pebble. The client would not say before its time is over that nobody
  // listens there.
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
