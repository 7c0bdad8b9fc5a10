import Foundation
import SitePages

/// The files of the pages of launches, which are bundled with the program.
enum LaunchFiles {
  static let name = "Page"
  static let path = "search"
  static let style = "/search/launches.css"
  static let script = "/search/search.js"
  static let folder = Bundle.module.bundleURL.appending(path: name, directoryHint: .isDirectory)

  /// Reads a template.
  ///
  /// - Throws: ``MissingFile`` if the file cannot be read; the error of mustache if the template is
  ///   invalid.
  static func template(_ file: String) throws -> PageTemplate {
    try PageTemplate(file, in: .module, folder: name)
  }
}
