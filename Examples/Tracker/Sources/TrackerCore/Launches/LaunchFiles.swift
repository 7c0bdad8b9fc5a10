import Foundation
import SitePages

/// The files for launch pages, which are bundled with the program.
enum LaunchFiles {
  static let name = "Page"
  static let path = "search"
  static let style = "/search/launches.css"
  static let script = "/search/search.js"
  static let folder = Bundle.module.bundleURL.appending(path: name, directoryHint: .isDirectory)

  /// Reads a template.
  ///
  /// - Throws: ``MissingFile`` if the file cannot be read; a Mustache error if the template is
  ///   invalid.
  static func template(_ file: String) throws -> PageTemplate {
    try PageTemplate(file, in: .module, folder: name)
  }
}
