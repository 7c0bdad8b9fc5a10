import Logging

/// One record for each page that came or did not, and for each click.
struct SectionLog: Sendable {
  let logger: Logger

  // The index is that of the first item that is new, and the item its identifier, if there is one;
  // the count is of those that are new.
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
