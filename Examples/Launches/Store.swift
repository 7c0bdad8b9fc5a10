import Foundation

/// A small local store that consists of a JSON file.
///
/// A lock on the folder serializes changes, within this program and across programs. Each change
/// replaces the whole file, so the file is always complete, and reading it needs no lock.
struct Store: Sendable {
  struct Contents: Codable, Equatable, Sendable {
    private(set) var version = 1
    var launches = Stored<Launch>()
    var cores = Stored<Core>()
  }

  let path: String

  /// Returns the contents of the store; empty if its file does not exist yet.
  func contents() throws(Problem) -> Contents {
    guard FileManager.default.fileExists(atPath: path) else { return Contents() }
    do throws(Problem) {
      // Feeds of many small items can take five times their own size in the store.
      let contents = try JSONFile(path: path, megabytes: 256).decode(Contents.self, named: "store")
      try check(contents.version == 1, "it has version \(contents.version), not 1")
      return contents
    } catch {
      let advice = "move the file away, or name another with --store, and run again"
      throw Problem("the store \(path) cannot be used and was left as it is: \(error); \(advice)")
    }
  }

  /// Replaces all items of one kind with the given items from a feed, and returns their number.
  func replace<Item>(
    _ kind: WritableKeyPath<Contents, Stored<Item>>, with items: [Item], at time: Date
  ) throws(Problem) -> Int {
    // If the path is a link, its target is replaced.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Closing the folder releases the lock; so does the end of the program.
    defer { close(folder) }
    let isLocked = folder >= 0 && flock(folder, LOCK_EX) == 0
    try check(isLocked, "cannot lock the folder of \(path): \(reason())")
    var contents = try contents()
    contents[keyPath: kind] = Stored(items: items, loadedAt: time)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    // Sorted, so that equal contents give equal files.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      try (encoder.encode(contents) + Data("\n".utf8)).write(to: file, options: .atomic)
      return items.count
    } catch {
      throw Problem("cannot write \(path): \(reason(error))")
    }
  }

  /// Throws an error if the store's folder does not exist. This is checked only once, not for every
  /// load.
  func checkFolder() throws(Problem) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let advice = "make it, or name a file in another with --store, and run again"
    let isThere = FileManager.default.fileExists(atPath: folder)
    try check(isThere, "the folder \(folder) of the store does not exist; \(advice)")
  }
}

/// The items of one kind, as of the last successful load.
struct Stored<Item>: Codable, Equatable, Sendable
where Item: Codable & Equatable & Identifiable & Sendable, Item.ID == String {
  var items: [Item] = []
  /// The time of the last successful load; `nil` if no load has succeeded.
  var loadedAt: Date?

  var byID: [String: Item] { Dictionary(items.map { ($0.id, $0) }) { _, last in last } }
}
