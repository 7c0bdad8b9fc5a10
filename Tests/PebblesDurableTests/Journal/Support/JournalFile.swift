import Foundation
import PebblesTestSupport

@testable import PebblesDurable

/// The file of a journal in its own temporary folder.
struct JournalFile {
  let folder: TemporaryFolder
  var path: String { folder.file("journal") }

  init() throws { folder = try TemporaryFolder() }

  /// Creates the file of a journal with the given bytes.
  init(_ bytes: some Sequence<UInt8>) throws {
    self.init(folder: try TemporaryFolder())
    try write(bytes)
  }

  private init(folder: TemporaryFolder) { self.folder = folder }

  func write(_ bytes: some Sequence<UInt8>) throws {
    try folder.write(Array(bytes), to: "journal")
  }

  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  var text: JournalText { get throws { try JournalText(try bytes) } }

  /// Returns the bytes of the journal up to the first entry that is described by `word`, including
  /// that entry.
  func bytes(through word: String) throws -> [UInt8] {
    let text = try text
    let bytes = try bytes
    let place = text.words.firstIndex(of: word).map { $0 + 1 } ?? 0
    return Array(bytes.prefix(JournalCuts.lineEnds(of: bytes)[place]))
  }
}
