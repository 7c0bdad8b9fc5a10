import Foundation

/// A small local store: one JSON document in one file.
///
/// Changes take turns, here and among programs, by a lock on the folder, as the file is another one
/// each time. Reading takes no turn: a file that is only ever replaced is always whole.
struct Store: Sendable {
  struct Contents: Codable, Equatable, Sendable {
    private(set) var version = 1
    var launches = Stored<Launch>()
    var cores = Stored<Core>()
  }

  let path: String

  /// What the store holds now; nothing, if its file does not exist yet.
  func contents() throws(Problem) -> Contents {
    guard FileManager.default.fileExists(atPath: path) else { return Contents() }
    do throws(Problem) {
      // In small items, what feeds within their own limit hold can take five times the room here.
      let contents = try JSONFile(path: path, megabytes: 256).decode(Contents.self, named: "store")
      try check(contents.version == 1, "it has version \(contents.version), not 1")
      return contents
    } catch {
      let advice = "move the file away, or name another with --store, and run again"
      throw Problem("the store \(path) cannot be used and was left as it is: \(error); \(advice)")
    }
  }

  /// Makes the items of one kind those of their feed, and says how many they are.
  func replace<Item>(
    _ kind: WritableKeyPath<Contents, Stored<Item>>, with items: [Item], at time: Date
  ) throws(Problem) -> Int {
    // If the path is a link, what it leads to is replaced, and not the link.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // The lock goes when the folder is closed, also by the end of the program.
    defer { close(folder) }
    let isLocked = folder >= 0 && flock(folder, LOCK_EX) == 0
    try check(isLocked, "cannot lock the folder of \(path): \(reason())")
    var contents = try contents()
    contents[keyPath: kind] = Stored(items: items, loadedAt: time)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    // Sorted, so that equal contents are equal files.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      try (encoder.encode(contents) + Data("\n".utf8)).write(to: file, options: .atomic)
      return items.count
    } catch {
      throw Problem("cannot write \(path): \(reason(error))")
    }
  }

  /// Throws if the folder of the file does not exist; once is enough, not for every load again.
  func checkFolder() throws(Problem) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let advice = "make it, or name a file in another with --store, and run again"
    let isThere = FileManager.default.fileExists(atPath: folder)
    try check(isThere, "the folder \(folder) of the store does not exist; \(advice)")
  }
}

/// The items of one kind, as their feed last had them.
struct Stored<Item>: Codable, Equatable, Sendable
where Item: Codable & Equatable & Identifiable & Sendable, Item.ID == String {
  var items: [Item] = []
  /// `nil` until a load has succeeded.
  var loadedAt: Date?

  var byID: [String: Item] { Dictionary(items.map { ($0.id, $0) }) { _, last in last } }
}
