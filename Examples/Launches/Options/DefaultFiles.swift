import Foundation

/// The files used when the options name none.
enum DefaultFiles {
  /// A file that comes with the program: `launches` or `cores`.
  static func fixture(_ name: String) -> String {
    Bundle.module.bundleURL.appendingPathComponent("Fixtures/\(name).json").path
  }

  /// The store in the user's cache directory, whose folder is made if it is not there.
  static func store(environment: [String: String]) throws(FileError) -> String {
    let folder = cacheDirectory(environment: environment) + "/swift-pond-launches"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw FileError(
        path: folder, action: "make",
        reason: "the store cannot be put there; name a file for it with --store")
    }
    return folder + "/store.json"
  }

  /// As the XDG base directory specification has it, which ignores relative paths.
  static func cacheDirectory(environment: [String: String]) -> String {
    if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") { return path }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    #if os(macOS)
    return home + "/Library/Caches"
    #else
    return home + "/.cache"
    #endif
  }
}
