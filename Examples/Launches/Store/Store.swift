import Foundation

/// A small local store: one JSON document in one file.
///
/// A transaction loads the document, changes it and replaces the file atomically. Transactions take
/// turns, in this process because the store is an actor, and between processes by a lock on the
/// folder of the file. Reading takes no turn: a file that is only ever replaced is always whole.
actor Store {
  /// A store that could not be read again must not be written: in small items, feeds within their
  /// own limits can take more room here than they did there.
  private static let byteLimit = 64 * 1024 * 1024

  nonisolated let file: File
  private let now: @Sendable () -> Date

  init(path: String, now: @escaping @Sendable () -> Date) {
    file = File(path: path)
    self.now = now
  }

  /// What the store holds now; nothing, if its file does not exist yet.
  nonisolated func contents() throws -> StoreContents {
    guard try file.status() != nil else { return StoreContents() }
    let contents: StoreContents
    do {
      let document = JSONFile(path: file.path, byteLimit: Store.byteLimit)
      contents = try document.decode(StoreContents.self, root: "store")
    } catch {
      throw StoreError.unusable(path: file.path, problem: error.problem)
    }
    guard contents.version == StoreContents.currentVersion else {
      throw StoreError.otherVersion(path: file.path, version: contents.version)
    }
    return contents
  }

  /// Makes a collection what its source has: creates, updates and deletes by identifier.
  func replace<Item>(
    _ collection: any WritableKeyPath<StoreContents, StoredCollection<Item>> & Sendable,
    with items: [Item]
  ) async throws -> Changes {
    let loadedAt = now()
    return try await transaction { contents in
      contents[keyPath: collection].replaceItems(with: items, loadedAt: loadedAt)
    }
  }

  /// Throws if the folder the file is to be in does not exist.
  nonisolated func checkFolder() throws {
    let folder = File(path: file.directory)
    guard try folder.status() != nil else { throw StoreError.noFolder(path: folder.path) }
  }

  private func transaction<Result: Sendable>(
    _ change: (inout StoreContents) throws -> Result
  ) async throws -> Result {
    try checkFolder()
    let lock = try await StoreLock.acquire(forFolderOf: file)
    defer { lock.release() }
    var contents = try contents()
    let result = try change(&contents)
    let bytes = try contents.encoded()
    guard bytes.count <= Store.byteLimit else {
      throw StoreError.tooLarge(path: file.path, megabytes: Store.byteLimit / (1024 * 1024))
    }
    try file.replace(with: bytes)
    return result
  }
}

/// What is wrong with the store, and what to do.
enum StoreError: Error, Equatable, CustomStringConvertible {
  case noFolder(path: String)
  case unusable(path: String, problem: String)
  case otherVersion(path: String, version: Int)
  case tooLarge(path: String, megabytes: Int)

  var description: String {
    switch self {
    case .noFolder(let path):
      """
      the folder \(printable(path)) of the store does not exist; \
      make it, or name a file in another with --store, and run again
      """
    case .unusable(let path, let problem):
      """
      the store \(printable(path)) cannot be used and was left as it is: \(problem); \
      move the file away, or name another with --store, and run again
      """
    case .otherVersion(let path, let version):
      """
      the store \(printable(path)) has version \(version), and this program knows version \
      \(StoreContents.currentVersion); name another file with --store, and run again
      """
    case .tooLarge(let path, let megabytes):
      """
      the store \(printable(path)) was left as it is: with what was just read it would be larger \
      than the limit of \(megabytes) MB
      """
    }
  }
}
