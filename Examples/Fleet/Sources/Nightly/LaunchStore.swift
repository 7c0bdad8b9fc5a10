import Foundation
import Pebbles

/// A store of launches in a folder that all workers share. Every file is written completely or not
/// at all, and every file except the publication is used by only one run. A file can therefore
/// safely be written again after a worker was lost.
public struct LaunchStore: Sendable {
  private let folder: URL

  /// A description of the published launches: the run that produced them, and their number.
  public struct Publication: Codable, Sendable, Hashable {
    /// The name of the run's folder.
    public let run: String

    /// The number of launches.
    public let count: Int
  }

  /// A file of a run.
  public struct StoredFile: Codable, Sendable, Hashable {
    /// The path of the file in the folder.
    public let path: String

    /// The number of launches or words in the file.
    public let count: Int
  }

  /// Creates a store.
  ///
  /// - Parameter folder: The folder. If it does not exist, it is created when the first file is
  ///   written.
  public init(folder: URL) {
    self.folder = folder
  }

  /// Stores a value for a run.
  ///
  /// - Parameters:
  ///   - content: The value.
  ///   - count: The number of launches or words in it.
  ///   - name: The name of the file in the folder of the run.
  ///   - run: The run.
  /// - Returns: The stored file.
  /// - Throws: An error if the value cannot be encoded or written.
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

  /// Reads a stored value.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - type: The type of the value.
  /// - Returns: The value.
  /// - Throws: An error if the file cannot be read or decoded.
  public func read<Content: Decodable>(
    _ file: StoredFile, as type: Content.Type = Content.self
  ) throws -> Content {
    try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: file.path)))
  }

  /// Returns the published launches; `nil` if no launches have been published.
  ///
  /// - Throws: An error if the publication cannot be read or decoded.
  public func published() throws -> Publication? {
    let url = folder.appending(path: Self.publication)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try JSONDecoder().decode(Publication.self, from: Data(contentsOf: url))
  }

  /// Publishes the launches of a run atomically.
  ///
  /// - Parameters:
  ///   - count: The number of launches.
  ///   - run: The run.
  /// - Throws: An error if the publication cannot be written.
  public func publish(count: Int, of run: RunIdentifier) throws {
    try write(Publication(run: Self.folderName(of: run), count: count), to: Self.publication)
  }

  /// Removes all files of a run.
  ///
  /// - Parameter run: The run.
  /// - Throws: An error if the files cannot be removed.
  public func discard(_ run: RunIdentifier) throws {
    let url = folder.appending(path: Self.folderName(of: run))
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    try FileManager.default.removeItem(at: url)
  }

  /// Removes a file of a run, and the run's folder once it is empty. Does nothing if the published
  /// launches are those of this run. The file may have been removed already.
  ///
  /// - Parameter file: The file.
  /// - Throws: An error if the publication cannot be read, or if the file cannot be removed.
  public func remove(_ file: StoredFile) throws {
    let url = folder.appending(path: file.path)
    let run = url.deletingLastPathComponent()
    guard try published()?.run != run.lastPathComponent else { return }
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    // Fails unless the folder is empty; no worker can know which file is the last. Called even if
    // the file was gone: the worker that removed it may have been killed before this line.
    rmdir(run.path)
  }

  private static let publication = "published.json"

  private func write(_ content: some Encodable, to path: String) throws {
    let url = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(content).write(to: url, options: .atomic)
  }

  /// Returns the name of a run's folder.
  private static func folderName(of run: RunIdentifier) -> String {
    String(run.description.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }
}
