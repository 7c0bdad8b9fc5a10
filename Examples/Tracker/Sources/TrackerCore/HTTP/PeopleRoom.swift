import Hummingbird
import PebblesServer
import People
import PeoplePage
import Synchronization

/// Where `/people` is answered: made when half a million people are there, which is later than the
/// doors open, or never.
package final class PeopleRoom: Sendable {
  private enum State {
    case coming
    case open(RouterResponder<BasicRequestContext>)
    case lost(String)
  }

  private let state = Mutex(State.coming)

  package init() {}

  /// Answers from now on.
  ///
  /// - Parameter people: Who is looked for.
  /// - Throws: What the system says if the files of the page are not there.
  package func open(_ people: PeopleService) throws {
    let router = Router()
    try addPeopleRoutes(to: router, people)
    let responder = router.buildResponder()
    state.withLock { $0 = .open(responder) }
  }

  /// Nobody is going to come.
  ///
  /// - Parameter why: Why not, for people.
  package func lose(_ why: String) {
    state.withLock { $0 = .lost(why) }
  }

  /// Answers a request, or says why there is no answer.
  package func respond(
    to request: Request, _ context: BasicRequestContext
  ) async throws -> Response {
    switch state.withLock({ $0 }) {
    case .open(let responder):
      try await responder.respond(to: request, context: context)
    case .coming:
      Self.unavailable("The people are still being made; ask again in a moment.", retryAfter: 1)
    case .lost(let why):
      // They are made once, so it takes another start.
      Self.unavailable("The people could not be made: \(why).", retryAfter: 60)
    }
  }

  private static func unavailable(_ sentence: String, retryAfter seconds: Int) -> Response {
    Response(
      status: .serviceUnavailable,
      headers: [
        .retryAfter: "\(seconds)", .contentType: "text/plain; charset=utf-8",
        .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
      ], body: ResponseBody(byteBuffer: ByteBuffer(string: sentence + "\n")))
  }
}
