import Foundation
import Hummingbird

/// Adds `GET /status`, which sends the site's screen, with the root cause if something is missing.
///
/// - Parameters:
///   - router: The router that gets the route.
///   - site: The site.
func addStatusRoute<Context: RequestContext>(to router: some RouterMethods<Context>, _ site: Site) {
  router.get("/status") { request, context in
    let status = Status(site.screen)
    var response = try context.responseEncoder.encode(status, from: request, context: context)
    response.headers[.cacheControl] = "no-store"
    return response
  }
}

/// The answer from `/status`. It contains only the screen if the site is booting, online or
/// closing.
private struct Status: Encodable {
  let screen: String

  /// The root cause, without a full stop.
  var cause: String?

  /// The root cause and a description of the remaining data, as a sentence.
  var sentence: String?

  /// The time at which the shown launches were stored.
  var launchesOf: Date?

  /// The chain of pebbles from the one that failed to the one that shows the screen.
  var pebbles: [String]?

  /// The address of a page that shows these pebbles.
  var boot: String?

  init(_ screen: Site.Screen) {
    self.screen = screen.name
    guard let loss = screen.loss else { return }
    (cause, sentence, launchesOf) = (loss.cause, loss.sentence(), loss.launchesOf)
    (pebbles, boot) = (loss.pebbles, loss.address)
  }
}
