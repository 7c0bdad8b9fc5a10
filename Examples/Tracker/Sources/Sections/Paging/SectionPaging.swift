/// A rule for requesting the pages of a section in order.
public struct SectionPaging: Sendable {
  enum Rule: Sendable {
    case none
    case page(size: Int, first: Int, ahead: Int)
    case token(key: String, TokenFinder)
    case headerCursor(name: String, size: Int)
  }

  let rule: Rule

  /// The rule for a section with a single page.
  public static let none = SectionPaging(rule: .none)

  /// Returns the rule for numbered pages, requested with a `page` and a `size` in the query.
  ///
  /// The first page with fewer items than `size` is the last.
  ///
  /// - Parameters:
  ///   - size: The number of items on a full page; at least 1.
  ///   - first: The number of the first page.
  ///   - ahead: The number of pages to request at a time if the first page is full; at least 1.
  ///     Answers beyond the last page are ignored.
  /// - Returns: The rule.
  public static func page(size: Int, first: Int = 1, ahead: Int = 1) -> SectionPaging {
    SectionPaging(rule: .page(size: max(1, size), first: first, ahead: max(1, ahead)))
  }

  /// Returns the rule for pages that contain a token for the next page. The query for the next page
  /// sends the token as `key`.
  ///
  /// A page without a token, or with an empty one, is the last.
  ///
  /// - Parameters:
  ///   - key: The name of the token in the query.
  ///   - path: The location of the token in a page; by default, the member `key` of the page. The
  ///     token is a string or a whole number.
  /// - Returns: The rule.
  public static func token(key: String, at path: JSONKeyPath? = nil) -> SectionPaging {
    SectionPaging(rule: .token(key: key, .path(path ?? JSONKeyPath(keys: [key]))))
  }

  /// Returns the rule for pages in which a closure finds a token for the next page. The query for
  /// the next page sends the token as `key`.
  ///
  /// ```swift
  /// .token(key: "after") { page in page[at: "paging.next"]?.string }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The name of the token in the query.
  ///   - find: A closure that returns the token in a page, or `nil` or an empty string if the page
  ///     is the last.
  /// - Returns: The rule.
  public static func token(
    key: String, _ find: @escaping @Sendable (JSONValue) -> String?
  ) -> SectionPaging {
    SectionPaging(rule: .token(key: key, .custom(find)))
  }

  /// Returns the rule for pages that come with a cursor in a header. The request for the next page
  /// sends the cursor in a header with the same name. All requests have a `size` in the query.
  ///
  /// A page without the header, or with an empty one, is the last.
  ///
  /// - Parameters:
  ///   - name: The name of the header.
  ///   - size: The requested number of items per page; at least 1.
  /// - Returns: The rule.
  public static func headerCursor(_ name: String, size: Int) -> SectionPaging {
    SectionPaging(rule: .headerCursor(name: name, size: max(1, size)))
  }

  var tokenFinder: TokenFinder? {
    if case .token(_, let finder) = rule { finder } else { nil }
  }

  var cursorHeader: String? {
    if case .headerCursor(let name, _) = rule { name } else { nil }
  }
}
