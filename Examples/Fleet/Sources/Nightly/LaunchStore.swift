import Foundation
import Pebbles

/// Launches in a folder that all workers share. Every file is written whole or not at all, under a
/// name that only its run has: who writes it again, because a worker was lost, changes nothing.
public struct LaunchStore: Sendable {
  private let folder: URL

  /// What is published: the run that made it, and how much it is.
  public struct Publication: Codable, Sendable, Hashable {
    /// The folder of the run.
    public let run: String

    /// How many launches there are.
    public let count: Int
  }

  /// Something of one run.
  public struct StoredFile: Codable, Sendable, Hashable {
    /// Where it is, in the folder.
    public let path: String

    /// How many launches, or words, are in it.
    public let count: Int
  }

  /// Makes a store.
  ///
  /// - Parameter folder: Where; made when first written to.
  public init(folder: URL) {
    self.folder = folder
  }

  /// Stores something for a run.
  ///
  /// - Parameters:
  ///   - content: What.
  ///   - count: How much that is.
  ///   - name: What it is called in the folder of the run.
  ///   - run: The run.
  /// - Returns: Where it is.
  /// - Throws: What writing throws.
  public func store(
    _ content: some Encodable, count: Int, as name: String, for run: RunIdentifier
  ) throws -> StoredFile {
    let path = Self.path(name, of: run)
    try write(content, to: path)
    return StoredFile(path: path, count: count)
  }

  private static func path(_ name: String, of run: RunIdentifier) -> String {
    "\(folderName(of: run))/\(name).json"
  }

  /// Reads back what was stored.
  ///
  /// - Parameters:
  ///   - file: Where it is.
  ///   - type: What it is.
  /// - Returns: The content.
  /// - Throws: What reading throws.
  public func read<Content: Decodable>(
    _ file: StoredFile, as type: Content.Type = Content.self
  ) throws -> Content {
    try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: file.path)))
  }

  /// What is published; `nil` if nothing ever was.
  ///
  /// - Throws: What reading throws.
  public func published() throws -> Publication? {
    let url = folder.appending(path: Self.publication)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try JSONDecoder().decode(Publication.self, from: Data(contentsOf: url))
  }

  /// Publishes what a run has stored, in one step.
  ///
  /// - Parameters:
  ///   - count: How many launches it has.
  ///   - run: The run.
  /// - Throws: What writing throws.
  public func publish(count: Int, of run: RunIdentifier) throws {
    try write(Publication(run: Self.folderName(of: run), count: count), to: Self.publication)
  }

  /// Removes what a run has stored.
  ///
  /// - Parameter run: The run.
  /// - Throws: What removing throws.
  public func discard(_ run: RunIdentifier) throws {
    let url = folder.appending(path: Self.folderName(of: run))
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    try FileManager.default.removeItem(at: url)
  }

  /// Removes one file of a run, unless the run has been published: then it stays whole.
  ///
  /// - Parameter file: Where it is; it may be gone already.
  /// - Throws: What removing throws.
  public func remove(_ file: StoredFile) throws {
    let url = folder.appending(path: file.path)
    let run = url.deletingLastPathComponent()
    guard try published()?.run != run.lastPathComponent else { return }
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    // Fails as long as there is something in it; which one is the last, nobody knows before. Also
    // if the file was gone: whoever removed it may have been killed before this.
    rmdir(run.path)
  }

  private static let publication = "published.json"

  private func write(_ content: some Encodable, to path: String) throws {
    let url = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(content).write(to: url, options: .atomic)
  }

  /// A run as the name of a folder.
  private static func folderName(of run: RunIdentifier) -> String {
    String(run.description.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }
}
