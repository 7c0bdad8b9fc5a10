/// Limits on the size of a section, regardless of the data that its server sends.
public struct SectionLimits: Sendable, Hashable {
  /// The maximum number of pages, at least 1.
  public let pages: Int

  /// The maximum number of items.
  public let items: Int

  /// The maximum size of a page, in bytes.
  public let bytesPerPage: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - pages: The maximum number of pages; a number below 1 counts as 1.
  ///   - items: The maximum number of items; a number below 0 counts as 0.
  ///   - bytesPerPage: The maximum size of a page, in bytes; a number below 0 counts as 0.
  public init(pages: Int = 100, items: Int = 100_000, bytesPerPage: Int = 4 << 20) {
    self.pages = max(1, pages)
    self.items = max(0, items)
    self.bytesPerPage = max(0, bytesPerPage)
  }
}
