import Pebbles
import PebblesAnalysis

/// Reads the lines of a journal and says where it ends.
///
/// Of a process that has died, the last line may be half written: it is dropped. So is, of one that
/// syncs, all that was not yet on the disk when power was lost, in whatever state it is: each time
/// something is synced, the next line says so. Anything else that is wrong is damage.
struct JournalReader {
  let header: JournalHeader
  private let bytes: [UInt8]

  /// How many bytes count: what follows is to be cut off.
  private(set) var length: Int

  /// How many lines these are.
  private(set) var lineCount = 1

  /// What is wrong.
  enum Fault: Error {
    case notAJournal
    case newerVersion(Int)
    case damaged(String)
    case otherLogic(String)
    case otherInput(String)
    case otherOutput(String)
  }

  /// Reads the header.
  ///
  /// - Returns: `nil` if nothing is in the file, or not even a whole header.
  init?(_ bytes: [UInt8]) throws(Fault) {
    guard let (header, length) = try JournalHeader.read(bytes) else { return nil }
    self.header = header
    self.length = length
    self.bytes = bytes
  }

  /// Reads the next entry that counts.
  ///
  /// - Returns: It and its payload; `nil` at the end.
  mutating func next() throws(Fault) -> (entry: JournalEntry, payload: ArraySlice<UInt8>?)? {
    guard let end = bytes[length...].firstIndex(of: JournalHeader.lineBreak) else { return nil }
    let number = lineCount + 1
    guard let line = JournalLine(bytes[length..<end]) else {
      if isTorn(after: end + 1) { return nil }
      throw .damaged("line \(number) does not fit its checksum")
    }
    guard line.number == number else {
      throw .damaged("line \(number) says that it is line \(line.number)")
    }
    do throws(JSONError) {
      let entry = try JournalEntry(line.entry)
      length = end + 1
      lineCount = number
      return (entry, line.payload)
    } catch {
      throw .damaged("line \(number) cannot be read: \(error.problem)")
    }
  }

  /// The number of the first line that cannot be read, once all entries that count have been; `nil`
  /// if there is nothing behind those but, perhaps, the beginning of one more.
  ///
  /// The beginning of a line is what a death leaves, or a run that is about to write the rest.
  var unreadableLine: Int? {
    let rest = bytes[length...]
    return rest.isEmpty || JournalLine.mayBegin(rest, number: lineCount + 1) ? nil : lineCount + 1
  }

  /// Whether damage at the end of what counts is what a death has left: the last line, or, if the
  /// journal is synced, anything that was not.
  private func isTorn(after end: Int) -> Bool {
    guard header.syncs else { return end == bytes.count }
    return !bytes[end...].split(separator: JournalHeader.lineBreak).contains { line in
      guard let line = JournalLine(line), case .synced(let count)? = try? JournalEntry(line.entry)
      else { return false }
      return count > length
    }
  }
}
