/// A link to another page of the site that a page belongs to.
///
/// The links of a page stand at its top, and the keys `1` to `9` follow them.
public struct PageLink: Sendable, Hashable {
  /// What the page is called.
  public let title: String

  /// Where it is: relative, such as `/launches`, or with `http` or `https`; `nil` if what was given
  /// is neither, such as `javascript:…`. Then the title stands there without a link.
  public let address: String?

  /// Whether it leads to the page that it stands on.
  public let isCurrent: Bool

  /// Makes a link.
  ///
  /// - Parameters:
  ///   - title: What the page is called.
  ///   - address: Where it is, relative or with `http` or `https`. Anything else is dropped.
  ///   - isCurrent: Whether it leads to the page that it stands on.
  public init(_ title: String, to address: String, isCurrent: Bool = false) {
    self.title = title
    self.address = Self.isSafe(address) ? address : nil
    self.isCurrent = isCurrent
  }

  /// Whether an address is relative, or of the web.
  ///
  /// Browsers leave out blanks and control characters before they look for a scheme, so an address
  /// with any of these is none.
  private static func isSafe(_ address: String) -> Bool {
    guard address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
      return false
    }
    guard let colon = address.firstIndex(of: ":") else { return true }
    let start = address[..<colon]
    // Behind a slash, a question or a fragment, a colon begins no scheme any more.
    if start.contains(where: { "/?#".contains($0) }) { return true }
    return ["http", "https"].contains(start.lowercased())
  }
}
