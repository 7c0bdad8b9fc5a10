import Foundation
import SitePages

/// The files of the pages of launches, which come with the program.
enum LaunchFiles {
  static let name = "Page"
  static let path = "search"
  static let style = "/search/launches.css"
  static let script = "/search/search.js"
  static let folder = Bundle.module.bundleURL.appending(path: name, directoryHint: .isDirectory)

  /// - Throws: ``MissingFile``; what mustache says of a template that it cannot read.
  static func template(_ file: String) throws -> PageTemplate {
    try PageTemplate(file, in: .module, folder: name)
  }
}
