import Foundation

/// The files of the page, which are bundled with the program.
enum PeopleFiles {
  static let name = "Page"
  static let folder = Bundle.module.bundleURL.appending(path: name, directoryHint: .isDirectory)
}
