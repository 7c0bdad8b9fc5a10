import Foundation
import GRDB
import Hummingbird
import Logging
import Sections

/// A source of pages that calls a router's routes in this process, and gets the same answers as an
/// HTTP client. The home page therefore does not compete with visitors for connections.
struct LocalAnswers: PageAnswering {
  private let responder: RouterResponder<LocalContext>
  private let site: Site
  private let logger: Logger

  /// Creates a source of pages.
  ///
  /// - Parameters:
  ///   - router: The router with the routes.
  ///   - site: The site that is asked for a check if the database cannot be read.
  ///   - logger: The logger for the requests.
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
      // The rest of the error is the SQL statement, which is not public.
      throw Finding(description: error.finding)
    }
  }

  private struct Finding: Error, CustomStringConvertible {
    let description: String
  }
}

/// The context of a request without a connection.
struct LocalContext: RequestContext {
  typealias Source = LocalSource

  var coreContext: CoreRequestContextStorage

  init(source: LocalSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}

/// The source of a request without a connection.
struct LocalSource: RequestContextSource {
  let logger: Logger
}
