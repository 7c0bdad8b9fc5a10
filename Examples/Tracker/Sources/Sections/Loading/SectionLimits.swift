/// How much of a section is loaded at most, whatever its server says.
public struct SectionLimits: Sendable, Hashable {
  /// How many pages, at least 1.
  public let pages: Int

  /// How many items.
  public let items: Int

  /// How many bytes a page may have.
  public let bytesPerPage: Int

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - pages: How many pages a section may have; below 1 it counts as 1.
  ///   - items: How many items a section may have; below 0 it counts as 0.
  ///   - bytesPerPage: How many bytes a page may have; below 0 it counts as 0.
  public init(pages: Int = 100, items: Int = 100_000, bytesPerPage: Int = 4 << 20) {
    self.pages = max(1, pages)
    self.items = max(0, items)
    self.bytesPerPage = max(0, bytesPerPage)
  }
}
