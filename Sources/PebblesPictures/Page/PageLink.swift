/// A link from a page to another page of the same site.
///
/// The links are shown at the top of the page. The keys `1` to `9` open the first nine links that
/// have an address.
public struct PageLink: Sendable, Hashable {
  /// The title of the page.
  public let title: String

  /// The address of the page: a relative address, such as `/launches`, or one with the scheme
  /// `http` or `https`. If the link was created with an address of another kind, such as
  /// `javascript:…`, this property is `nil`, and the title is shown without a link.
  public let address: String?

  /// Whether the link leads to the page that contains it.
  public let isCurrent: Bool

  /// Creates a link.
  ///
  /// - Parameters:
  ///   - title: The title of the page.
  ///   - address: The address of the page. It must be relative or have the scheme `http` or
  ///     `https`; any other address is ignored.
  ///   - isCurrent: Whether the link leads to the page that contains it.
  public init(_ title: String, to address: String, isCurrent: Bool = false) {
    self.title = title
    self.address = Self.isSafe(address) ? address : nil
    self.isCurrent = isCurrent
  }

  /// Returns whether an address is relative, or has the scheme `http` or `https`.
  ///
  /// Browsers remove spaces and control characters before they determine the scheme. An address
  /// that contains such characters is therefore not safe.
  private static func isSafe(_ address: String) -> Bool {
    // Browsers read scalars. As a character, a colon includes the combining scalars after it.
    let scalars = address.unicodeScalars
    guard scalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else { return false }
    guard let colon = scalars.firstIndex(of: ":") else { return true }
    let start = scalars[..<colon]
    // After a slash, question mark or fragment, a colon does not end a scheme.
    if start.contains(where: { "/?#".unicodeScalars.contains($0) }) { return true }
    return ["http", "https"].contains(String(start).lowercased())
  }
}
