import Pebbles
import PebblesAnalysis

/// A reader of the lines of a journal, up to the last valid line.
///
/// If the process died, the last line may be incomplete; it is dropped. If the journal syncs, a
/// power failure may also damage lines that were not yet on the disk. The first damaged line and
/// everything after it are then dropped. To identify these lines, the journal records the number of
/// bytes on the disk after each sync. If any other line is invalid, reading the journal fails.
struct JournalReader {
  let header: JournalHeader

  /// Whether the journal syncs, according to the header or to an entry about a sync. A later
  /// process may sync a journal that the first process did not sync.
  private(set) var syncs: Bool

  private let bytes: [UInt8]

  /// The length of the valid lines read so far, in bytes. Once all valid lines have been read, the
  /// bytes after them must be removed.
  private(set) var length: Int

  /// The number of valid lines read so far, including the header.
  private(set) var lineCount = 1

  /// A problem with a journal.
  enum Fault: Error {
    case notAJournal
    case newerVersion(Int)
    case damaged(String)
    case otherLogic(String)
    case otherInput(String)
    case otherOutput(String)
  }

  /// Creates a reader, and reads the header. Returns `nil` if the file is empty or does not have a
  /// complete header.
  init?(_ bytes: [UInt8]) throws(Fault) {
    guard let (header, length) = try JournalHeader.read(bytes) else { return nil }
    self.header = header
    syncs = header.syncs
    self.length = length
    self.bytes = bytes
  }

  /// Reads the next entry.
  ///
  /// - Returns: The entry, and its payload if it has one; `nil` if no entry is left. A line that a
  ///   crash may have damaged ends the journal.
  /// - Throws: A fault if a line is damaged in a way that a crash cannot explain.
  mutating func next() throws(Fault) -> (entry: JournalEntry, payload: ArraySlice<UInt8>?)? {
    guard let end = bytes[length...].firstIndex(of: JournalHeader.lineBreak) else { return nil }
    let number = lineCount + 1
    guard let line = JournalLine(bytes[length..<end]) else {
      if isTorn(after: end + 1) { return nil }
      throw .damaged("line \(number) does not match its checksum")
    }
    guard line.number == number else {
      throw .damaged("line \(number) says that it is line \(line.number)")
    }
    do throws(JSONError) {
      let entry = try JournalEntry(line.entry)
      if case .synced = entry { syncs = true }
      length = end + 1
      lineCount = number
      return (entry, line.payload)
    } catch {
      throw .damaged("line \(number) cannot be read: \(error.problem)")
    }
  }

  /// The number of the first line that cannot be read; `nil` if the journal ends after the valid
  /// entries, or with an incomplete line. Read this property only after all valid entries have been
  /// read.
  ///
  /// An incomplete line was left by a process that died, or by a run that is about to write the
  /// rest of the line.
  var unreadableLine: Int? {
    let rest = bytes[length...]
    return rest.isEmpty || JournalLine.mayBegin(rest, number: lineCount + 1) ? nil : lineCount + 1
  }

  /// Returns whether a crash could explain the damaged line that ends at `end`. If the journal does
  /// not sync, a crash can damage only the last line. If the journal syncs, a crash cannot damage a
  /// line that a later line records as being on the disk.
  private func isTorn(after end: Int) -> Bool {
    guard syncs else { return end == bytes.count }
    return !bytes[end...].split(separator: JournalHeader.lineBreak).contains { line in
      guard let line = JournalLine(line), case .synced(let count)? = try? JournalEntry(line.entry)
      else { return false }
      return count > length
    }
  }
}
