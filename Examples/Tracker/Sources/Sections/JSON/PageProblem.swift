/// A problem with a page, or with the order of pages.
enum PageProblem: Error, Sendable, Hashable {
  case status(UInt, reason: String, retryAfter: String?)
  case noAddress(String)
  case noAnswer(String)
  case tooManyBytes(Int)
  case noJSON(String)
  case noObject(at: JSONKeyPath)
  case noList(at: JSONKeyPath)
  case nothing(at: JSONKeyPath, instead: [String])
  case noToken(at: JSONKeyPath)
  case wrongItem(index: Int, String)
  case tooManyItems(Int)
  case tooManyPages(Int)
  case tokenTooLong(Int)
  case repeatedToken(String)
  case nothingNew(pages: Int)

  /// Whether the same request may succeed if it is retried.
  var isTransient: Bool {
    switch self {
    case .noAnswer: true
    case .status(let code, _, _): code == 408 || code == 429 || code >= 500
    case .noAddress, .tooManyBytes, .noJSON, .noObject, .noList, .nothing, .noToken, .wrongItem,
      .tooManyItems, .tooManyPages, .tokenTooLong, .repeatedToken, .nothingNew:
      false
    }
  }
}

extension PageProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .status(let code, let reason, let retryAfter):
      let wait = retryAfter.map { "; it asks to wait: \($0.asData)" } ?? ""
      return "the server answered \(code) \(reason.asData)\(wait)"
    case .noAddress(let reason): return "no request can be sent to its address: \(reason.asData)"
    case .noAnswer(let reason): return "the answer was incomplete: \(reason.asData)"
    case .tooManyBytes(let limit): return "it has more than the \(limit) bytes a page may have"
    case .noJSON(let reason): return "it is not valid JSON: \(reason.asData)"
    case .noObject(let path): return "\(path.place) is not an object"
    case .noList(let path): return "\(path.place) is not a list"
    case .nothing(let path, let keys): return "there is no \(path.place)\(Self.instead(keys))"
    case .noToken(let path): return "\(path.place), the token, is neither text nor a whole number"
    case .wrongItem(let index, let reason):
      return "its item \(index) cannot be read: \(reason.asData)"
    case .tooManyItems(let limit): return "with it there are more than \(limit) items"
    case .tooManyPages(let limit): return "after \(limit) pages there is still no end"
    case .tokenTooLong(let limit):
      return "the token for the next page is longer than \(limit) bytes"
    case .repeatedToken(let token):
      return "the token for the next page, \(token.asData), was used before"
    case .nothingNew(let pages): return "\(pages) pages, one after the other, had nothing new"
    }
  }

  private static func instead(_ keys: [String]) -> String {
    guard !keys.isEmpty else { return ", in fact nothing at all" }
    let some = keys.sorted().prefix(5).map(\.asData).joined(separator: ", ")
    return ", only \(some)\(keys.count > 5 ? " …" : "")"
  }
}

extension JSONKeyPath {
  fileprivate var place: String { keys.isEmpty ? "the document" : description.asData }
}
