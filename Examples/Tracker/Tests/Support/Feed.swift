import Foundation
import HTTPTypes
import Hummingbird

/// A list of items, served according to one of the paging rules and possibly with a fault.
package struct Feed: Sendable {
  /// The rule for the order of the pages.
  package enum Paging: Sendable {
    case none
    case page(size: Int)
    case token(key: String, size: Int)
    case headerCursor(name: String, size: Int)
  }

  /// A fault in an answer.
  package enum Fault: Sendable {
    case status(Int, retryAfter: String? = nil)
    case redirect(to: String)
    /// An answer that is complete, but whose JSON ends in the middle.
    case cutDocument
    /// An answer that announces more bytes than it sends.
    case cutConnection
    /// An answer with the first page, in place of the requested one.
    case repeated
    /// An answer in which the token is replaced with the given one.
    case sameToken(String)
    /// An answer with the given body.
    case body(String)
    /// An answer that is held back until the turnstile opens.
    case held(by: Turnstile)
  }

  /// An item of a feed.
  package struct Item: Sendable, Hashable, Codable, Identifiable {
    package let id: Int
    package let name: String

    package init(id: Int, name: String) {
      self.id = id
      self.name = name
    }
  }

  package let items: [Item]
  package let keyPath: [String]
  package let paging: Paging
  private let fault: @Sendable (_ count: Int) -> Fault?

  /// Creates a feed.
  ///
  /// - Parameters:
  ///   - items: The items of all pages.
  ///   - keyPath: The keys that lead to the items in a page.
  ///   - paging: The rule for the order of the pages.
  ///   - fault: The fault in an answer, with the number of its request; the first request is 1.
  package init(
    _ items: [Item], at keyPath: String..., paging: Paging = .none,
    fault: @escaping @Sendable (_ count: Int) -> Fault? = { _ in nil }
  ) {
    self.items = items
    self.keyPath = keyPath
    self.paging = paging
    self.fault = fault
  }

  /// Returns items with the given numbers, which have different names.
  package static func items(_ range: Range<Int>) -> [Item] {
    range.map { Item(id: $0, name: "item \($0)") }
  }

  var cursorHeader: HTTPField.Name? {
    if case .headerCursor(let name, _) = paging { HTTPField.Name(name) } else { nil }
  }

  func answer(_ request: FeedRequest, count: Int) async throws -> Response {
    guard let fault = fault(count) else { return try answer(page(for: request)) }
    switch fault {
    case .status(let code, let retryAfter):
      var headers = HTTPFields()
      headers[.retryAfter] = retryAfter
      return Response(status: .init(code: code), headers: headers)
    case .redirect(let address):
      return Response(status: .found, headers: [.location: address])
    case .cutDocument:
      let text = try document(page(for: request))
      return Self.answer(String(text.prefix(text.count / 2)))
    case .cutConnection:
      return Self.cut(try document(page(for: request)))
    case .repeated:
      return try answer(page(for: FeedRequest(path: request.path)))
    case .sameToken(let token):
      return try answer(Page(items: page(for: request).items, token: token))
    case .body(let text):
      return Self.answer(text)
    case .held(let turnstile):
      try await turnstile.passed()
      return try answer(page(for: request))
    }
  }
}

extension Feed {
  private struct Page {
    let items: ArraySlice<Item>
    let token: String?
  }

  private func page(for request: FeedRequest) -> Page {
    switch paging {
    case .none:
      return Page(items: items[...], token: nil)
    case .page(let size):
      let number = request.query["page"].flatMap(Int.init) ?? 1
      return page(from: (number - 1) * size, size)
    case .token(let key, let size):
      return page(from: request.query[key].flatMap(Int.init) ?? 0, size)
    case .headerCursor(_, let size):
      return page(from: request.cursor.flatMap(Int.init) ?? 0, size)
    }
  }

  private func page(from start: Int, _ size: Int) -> Page {
    let end = min(items.count, start + size)
    guard start < end else { return Page(items: [], token: nil) }
    return Page(items: items[start..<end], token: end < items.count ? "\(end)" : nil)
  }

  private func answer(_ page: Page) throws -> Response {
    var response = Self.answer(try document(page))
    if let name = cursorHeader { response.headers[name] = page.token }
    return response
  }

  private func document(_ page: Page) throws -> String {
    let list = String(decoding: try JSONEncoder().encode(Array(page.items)), as: UTF8.self)
    var text = keyPath.reversed().reduce(list) { text, key in "{\"\(key)\":\(text)}" }
    if case .token(let key, _) = paging, let token = page.token {
      text = "{\"\(key)\":\"\(token)\",\(text.dropFirst())"
    }
    return text
  }

  private static func answer(_ text: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  private struct Cut: Error {}

  private static func cut(_ text: String) -> Response {
    let body = ResponseBody(contentLength: text.utf8.count + 1) { writer in
      try await writer.write(ByteBuffer(string: text))
      throw Cut()
    }
    return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
  }
}
