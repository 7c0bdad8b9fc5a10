/// A request for a page of a section.
public struct SectionRequest: Sendable, Hashable {
  /// The identifier of the section.
  public let section: String

  /// The number of pages of the section before this one.
  public let page: Int

  /// The URL, including its query.
  public let url: String

  /// The headers set by the section and its paging rule.
  public let headers: [String: String]
}

extension SectionRequest {
  init(
    _ section: String, _ page: PageSequence.Page, _ paging: SectionPaging, url: String,
    headers given: [String: String]
  ) {
    var headers = given
    var query: [(String, String)] = []
    switch (paging.rule, page.address) {
    case (.page(let size, _, _), .number(let number)):
      query = [("page", "\(number)"), ("size", "\(size)")]
    case (.token(let key, _), .token(let token)):
      query = [(key, token)]
    case (.headerCursor(let name, let size), let address):
      query = [("size", "\(size)")]
      if case .token(let cursor) = address { headers[name] = cursor }
    case (.none, _), (.page, _), (.token, _):
      break
    }
    self.init(
      section: section, page: page.index, url: url.adding(query: query), headers: headers)
  }

  /// The URL without its query, which may be confidential.
  var place: String { String(url.prefix { $0 != "?" && $0 != "#" }).asData }
}

extension String {
  fileprivate func adding(query: [(String, String)]) -> String {
    // The part after `#` is never sent to a server.
    let address = prefix { $0 != "#" }
    guard !query.isEmpty else { return String(address) }
    let items = query.map { "\($0.asQueryText)=\($1.asQueryText)" }.joined(separator: "&")
    return address + (address.contains("?") ? "&" : "?") + items
  }

  private var asQueryText: String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }
}
