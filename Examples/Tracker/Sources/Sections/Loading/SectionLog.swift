import Logging

/// A log that records each loaded page, each page at which a section fails, and each click.
struct SectionLog: Sendable {
  let logger: Logger

  // The index and the item belong to the first new item, if any; the count is the number of new
  // ones.
  func pageLoaded(_ section: String, page: Int, index: Int, item: String?, count: Int) {
    var metadata = Self.metadata(section, index: index, item: item)
    metadata["page"] = "\(page)"
    metadata["count"] = "\(count)"
    logger.info("a page of a section was loaded", metadata: metadata)
  }

  func pageFailed(_ section: String, page: Int, index: Int, _ error: any Error) {
    var metadata = Self.metadata(section, index: index, item: nil)
    metadata["page"] = "\(page)"
    metadata["error"] = "\("\(error)".asData)"
    logger.warning("a page of a section could not be loaded", metadata: metadata)
  }

  func itemClicked(_ section: String, index: Int, item: String) {
    logger.info(
      "an item of a section was clicked", metadata: Self.metadata(section, index: index, item: item)
    )
  }

  private static func metadata(_ section: String, index: Int, item: String?) -> Logger.Metadata {
    [
      "index": "\(index)", "identifier_of_section": "\(section.asData)",
      "identifier_of_section_item": "\(item?.asData ?? "")",
    ]
  }
}
