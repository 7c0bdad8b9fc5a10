import Foundation
import Hummingbird

/// Adds `GET /status`: what there is to see and, if that is not all, the root cause of it.
///
/// - Parameters:
///   - router: Where to.
///   - site: Knows.
func addStatusRoute<Context: RequestContext>(to router: some RouterMethods<Context>, _ site: Site) {
  router.get("/status") { request, context in
    let status = Status(site.screen)
    var response = try context.responseEncoder.encode(status, from: request, context: context)
    response.headers[.cacheControl] = "no-store"
    return response
  }
}

/// What `/status` answers; of a site that is booting, online or closing the screen alone.
private struct Status: Encodable {
  let screen: String

  /// The root cause, as a clause.
  var cause: String?

  /// The same and what is left, as a sentence.
  var sentence: String?

  /// When the launches were stored that are shown.
  var launchesOf: Date?

  /// From the pebble that failed to the screen.
  var pebbles: [String]?

  /// Where that is shown.
  var boot: String?

  init(_ screen: Site.Screen) {
    self.screen = screen.name
    guard let loss = screen.loss else { return }
    (cause, sentence, launchesOf) = (loss.cause, loss.sentence(), loss.launchesOf)
    (pebbles, boot) = (loss.pebbles, loss.address)
  }
}
