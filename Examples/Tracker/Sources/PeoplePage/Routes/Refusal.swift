import Foundation
import Hummingbird
import People

/// An error response that gives the reason.
struct Refusal: HTTPResponseError {
  let status: HTTPResponse.Status

  /// The reason, as a sentence for the visitor.
  let problem: String

  /// The number of seconds to wait before trying again; `nil` if the response does not state it.
  let retryAfter: Int?

  init(_ status: HTTPResponse.Status, _ problem: String, retryAfter: Int? = nil) {
    self.status = status
    self.problem = problem
    self.retryAfter = retryAfter
  }

  init(_ error: FilterError) {
    self.init(.badRequest, error.description)
  }

  init(_ error: PeopleError) {
    let status: HTTPResponse.Status =
      switch error {
      case .preparing: .serviceUnavailable
      case .badVisitor, .badRevision, .badPage: .badRequest
      case .outdated, .unanswered, .nobody: .conflict
      case .unknown: .gone
      case .beyondEnd: .rangeNotSatisfiable
      case .failed: .internalServerError
      }
    self.init(status, error.description, retryAfter: error == .preparing ? 1 : nil)
  }

  init(_ error: DecodingError) {
    let (context, problem) =
      switch error {
      case .typeMismatch(_, let context): (context, "is not of the right kind")
      case .valueNotFound(_, let context): (context, "is missing")
      case .keyNotFound(let key, let context): (context, "lacks “\(key.stringValue)”")
      case .dataCorrupted(let context): (context, "cannot be read")
      @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "is wrong")
      }
    let place = context.codingPath.map(\.stringValue).joined(separator: ".")
    let subject = place.isEmpty ? "The question" : "“\(place)” in the question"
    self.init(.badRequest, "\(subject) \(problem); it has to be JSON as the page sends it.")
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var response = try jsonResponse(
      ["error": Told(message: problem, status: status.code)], status: status)
    response.headers[.retryAfter] = retryAfter.map(String.init)
    return response
  }

  private struct Told: Encodable {
    let message: String
    let status: Int
  }

  /// Calls the closure, and converts errors meant for the visitor to refusals.
  static func refusing(_ answer: () async throws -> Response) async throws -> Response {
    do {
      return try await answer()
    } catch let error as PeopleError {
      throw Refusal(error)
    } catch let error as FilterError {
      throw Refusal(error)
    } catch let error as DecodingError {
      throw Refusal(error)
    }
  }
}

func jsonResponse(
  _ value: some Encodable, status: HTTPResponse.Status = .ok
) throws -> Response {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  let data = try encoder.encode(value)
  return Response(
    status: status,
    headers: [
      .contentType: "application/json; charset=utf-8", .contentLength: "\(data.count)",
      .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
    ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
}
