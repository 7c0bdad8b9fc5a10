import Foundation
import GRDB
import Hummingbird
import Logging
import Sections

/// Answers in this process what a router has: the same as over HTTP, without a connection. So Home
/// takes none of those that visitors may have, and waits for none.
struct LocalAnswers: PageAnswering {
  private let responder: RouterResponder<LocalContext>
  private let site: Site
  private let logger: Logger

  /// - Parameters:
  ///   - router: Has the answers.
  ///   - site: Told of a database that cannot be read.
  ///   - logger: Goes with each request.
  init(_ router: Router<LocalContext>, _ site: Site, logger: Logger) {
    responder = router.buildResponder()
    self.site = site
    self.logger = logger
  }

  func answer(to request: SectionRequest, mostBytes: Int) async throws -> PageAnswer {
    let message = Request(
      head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: request.url),
      body: RequestBody(buffer: ByteBuffer()))
    let context = LocalContext(source: LocalSource(logger: logger))
    do {
      let response = try await responder.respond(to: message, context: context)
      let bytes = try await response.body.bytes ?? ByteBuffer()
      let headers = Dictionary(
        response.headers.map { ($0.name.canonicalName, $0.value) }
      ) { first, _ in first }
      return PageAnswer(
        status: UInt(response.status.code), reason: response.status.reasonPhrase,
        headers: headers, body: Data(bytes.readableBytesView))
    } catch let error as any HTTPResponseError {
      return PageAnswer(
        status: UInt(error.status.code), reason: error.status.reasonPhrase, headers: [:],
        body: Data())
    } catch let error as DatabaseError {
      site.wish(for: .check)
      // What else it says is the statement, which is nobody's business.
      throw Finding(description: error.finding)
    }
  }

  private struct Finding: Error, CustomStringConvertible {
    let description: String
  }
}

/// A request that came over no connection.
struct LocalContext: RequestContext {
  typealias Source = LocalSource

  var coreContext: CoreRequestContextStorage

  init(source: LocalSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}

/// What a request without a connection comes with.
struct LocalSource: RequestContextSource {
  let logger: Logger
}
