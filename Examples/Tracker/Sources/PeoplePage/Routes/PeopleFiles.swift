import Foundation

/// The files of the page, which come with the program.
enum PeopleFiles {
  static let name = "Page"
  static let folder = Bundle.module.bundleURL.appending(path: name, directoryHint: .isDirectory)
}
