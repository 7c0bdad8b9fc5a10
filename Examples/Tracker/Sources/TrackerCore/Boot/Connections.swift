import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import NIOCore
import Pebbles
import PebblesServer

/// Serves until it is asked to stop.
///
/// - Throws: ``PortTaken``; what else the server throws.
func serve(
  _ site: Site, _ settings: Settings, _ ready: ServiceReady<Int>, _ logger: Logger
) async throws {
  guard let run = PebbleContext.current?.run else { throw CancellationError() }
  let application = Application(
    responder: FrontDoor(run, site),
    configuration: .init(
      address: .hostname(settings.host, port: settings.port), serverName: "tracker"),
    onServerRunning: { channel in
      let port = channel.localAddress?.port ?? settings.port
      site.listens(on: port)
      logger.notice("listening on \(settings.address(on: port))/; how it boots: /boot")
      ready(port)
    }, logger: logger)
  do {
    try await ready.run(application, logger: logger)
  } catch let error as IOError where error.errnoCode == EADDRINUSE {
    throw PortTaken(host: settings.host, port: settings.port)
  }
}

/// What feeds are read with, until it is asked to stop; without an address, a feed of our own.
func connect(
  _ address: String?, _ ready: ServiceReady<FeedClient>, _ logger: Logger
) async throws {
  // Where a feed says that it has moved may be anywhere, and the client ends the process at a port
  // that no machine has.
  var configuration = HTTPClient.Configuration()
  configuration.redirectConfiguration = .disallow
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
