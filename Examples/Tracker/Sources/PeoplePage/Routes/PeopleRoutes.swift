import Foundation
import Hummingbird
import People
import SitePages

/// Adds the page that shows people, and the routes that the page calls.
///
/// ```swift
/// let room = PeopleRoom()
/// try addPeopleRoutes(to: router, room, layout: try SiteLayout())
/// room.open(PeopleService(try People(generating: 500_000, seed: 1)))
/// ```
///
/// | | |
/// |---|---|
/// | `GET /people` | the page |
/// | `GET /people/files/…` | its style sheet and scripts |
/// | `POST /people/search` | the number of matches for a new question, and the first rows |
/// | `GET /people/rows` | rows starting at `from`, at most ``PeopleService/mostRows`` |
/// | `POST /people/choose` | a person from the list, chosen by a seed or at random |
///
/// A refusal is JSON with a sentence under `error.message`. While the people are being
/// prepared, all routes except the files answer valid requests with the status 503 and
/// `Retry-After`. The page is sent nonetheless. It states that the people are being prepared, and
/// tries again.
///
/// The page files are in this module's resource bundle, which must be beside the program. This
/// function reads each of them once.
///
/// - Parameters:
///   - router: The router that gets the routes.
///   - room: The access to the people service, which need not exist yet.
///   - layout: The layout of all pages.
/// - Throws: `MissingFile` if the page files cannot be read.
public func addPeopleRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, _ room: PeopleRoom, layout: SiteLayout
) throws {
  let files = try PageFiles(in: .module, folder: PeopleFiles.name)
  let template = try PageTemplate("people", in: .module, folder: PeopleFiles.name)
  let page = SitePage(
    title: "People", place: .people, content: template.render([String: String]()),
    styles: ["/people/files/people.css"], scripts: ["/people/files/main.mjs"], kind: "whole",
    isBusy: true)
  let routes = PeopleRoutes(room: room)
  router.get("people") { _, _ in
    if room.isOpen { return layout.response(page) }
    var early = layout.response(page, status: .serviceUnavailable)
    early.headers[.retryAfter] = "1"
    return early
  }
  router.get("people/files/:name") { _, context in
    let name = try context.parameters.require("name")
    guard let file = files.response(name) else {
      throw Refusal(.notFound, "The page has no such file.")
    }
    return file
  }
  router.post("people/search") { request, _ in
    try await Refusal.refusing { try await routes.search(request) }
  }
  router.get("people/rows") { request, _ in
    try await Refusal.refusing { try await routes.rows(request) }
  }
  router.post("people/choose") { request, _ in
    try await Refusal.refusing { try await routes.choose(request) }
  }
}

/// The handlers of the routes.
struct PeopleRoutes: Sendable {
  let room: PeopleRoom

  /// The number of rows sent with the answer to a question.
  private static let firstRows = 100

  /// The maximum size of a request, in bytes. It is far larger than any valid question, so search
  /// text that is too long is usually answered with a sentence about its length.
  private static let mostBytes = 2 << 20

  func search(_ request: Request) async throws -> Response {
    let message = try await body(of: request, as: SearchMessage.self)
    let people = try room.people
    let (visitor, revision) = (try VisitorID(message.visitor), message.revision)
    let total = try await people.ask(message.question(), for: visitor, revision: revision)
    let rows =
      total == 0
      ? [] : try await people.rows(from: 0, count: Self.firstRows, for: visitor, revision: revision)
    return try jsonResponse(
      SearchAnswer(
        revision: revision, total: total, everybody: people.people.count, rows: rows.map(Row.init)))
  }

  func rows(_ request: Request) async throws -> Response {
    let query = request.uri.queryParameters
    let visitor = try VisitorID(query["visitor"].map(String.init) ?? "")
    let revision = try number("revision", in: request)
    let from = try number("from", in: request)
    let rows = try await room.people.rows(
      from: from, count: try number("count", in: request), for: visitor, revision: revision)
    return try jsonResponse(
      RowsAnswer(revision: revision, from: from, rows: rows.map(Row.init)))
  }

  func choose(_ request: Request) async throws -> Response {
    let message = try await body(of: request, as: ChoiceMessage.self)
    let seed = message.seed ?? UInt32.random(in: .min ... .max)
    let (choice, person) = try await room.people.choose(
      seed: seed, for: VisitorID(message.visitor), revision: message.revision)
    return try jsonResponse(
      ChoiceAnswer(
        revision: message.revision, seed: choice.seed, place: choice.place, person: Row(person)))
  }

  private func body<Message: Decodable>(
    of request: Request, as type: Message.Type
  ) async throws -> Message {
    let bytes: ByteBuffer
    do {
      bytes = try await request.body.collect(upTo: Self.mostBytes)
    } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
      throw Refusal(.contentTooLarge, "The question is too long; it has at most 2 MB.")
    }
    return try JSONDecoder().decode(type, from: Data(bytes.readableBytesView))
  }

  private func number(_ name: String, in request: Request) throws -> Int {
    guard let text = request.uri.queryParameters[name[...]], let number = Int(text) else {
      throw Refusal(.badRequest, "“\(name)” has to be a whole number.")
    }
    return number
  }
}
