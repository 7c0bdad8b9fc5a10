/// How the pages of a section follow each other.
public struct SectionPaging: Sendable {
  enum Rule: Sendable {
    case none
    case page(size: Int, first: Int, ahead: Int)
    case token(key: String, TokenFinder)
    case headerCursor(name: String, size: Int)
  }

  let rule: Rule

  /// There is one page.
  public static let none = SectionPaging(rule: .none)

  /// Pages have numbers: the query has a `page` and a `size`.
  ///
  /// The page with fewer items than `size` is the last.
  ///
  /// - Parameters:
  ///   - size: How many items a page has; at least 1.
  ///   - first: The number of the first page.
  ///   - ahead: How many pages are asked for at a time, once the first was full; at least 1. What
  ///     stands behind the last page is not looked at, whatever it is.
  /// - Returns: The rule.
  public static func page(size: Int, first: Int = 1, ahead: Int = 1) -> SectionPaging {
    SectionPaging(rule: .page(size: max(1, size), first: first, ahead: max(1, ahead)))
  }

  /// Each page names the one after it by a token, which the query has as `key`.
  ///
  /// The page without a token, or with an empty one, is the last.
  ///
  /// - Parameters:
  ///   - key: The name of the token in the query.
  ///   - path: Where the token stands in a page, as text or as a whole number; at `key` itself, if
  ///     not given.
  /// - Returns: The rule.
  public static func token(key: String, at path: JSONKeyPath? = nil) -> SectionPaging {
    SectionPaging(rule: .token(key: key, .path(path ?? JSONKeyPath(keys: [key]))))
  }

  /// Each page names the one after it by a token, which a finder finds, and the query has as `key`.
  ///
  /// ```swift
  /// .token(key: "after") { page in page["paging.next"]?.string }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The name of the token in the query.
  ///   - find: Called with each page; `nil`, or nothing, if it is the last.
  /// - Returns: The rule.
  public static func token(
    key: String, _ find: @escaping @Sendable (JSONValue) -> String?
  ) -> SectionPaging {
    SectionPaging(rule: .token(key: key, .custom(find)))
  }

  /// Each answer has a cursor in a header, which the request for the next page has in a header of
  /// that name; the query has a `size`.
  ///
  /// The page without the header, or with an empty one, is the last.
  ///
  /// - Parameters:
  ///   - name: The name of the header.
  ///   - size: How many items a page is asked to have; at least 1.
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
