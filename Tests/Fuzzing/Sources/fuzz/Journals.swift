import Fuzzing
import Pebbles
import PebblesAnalysis

@testable import PebblesDurable

extension FuzzTarget {
  /// The target for journals. Their lines are generated and have correct checksums. They are also
  /// cut off and damaged at the end, as if a process had died. Some inputs are arbitrary bytes.
  static let journals = FuzzTarget("journals") { bytes in
    guard let input = JournalInput(bytes) else { return }
    let entries = entryCount(input.bytes)
    read(input.bytes)
    goOn(input.bytes)
    guard let entries else { return }
    let cut = Array(input.bytes.prefix(input.cut))
    let whole = cut.count { $0 == JournalHeader.lineBreak }
    if whole > 0 {
      expect(
        entryCount(cut) == min(entries, whole - 1),
        "of \(entries) entries cut to \(whole - 1), \(entryCount(cut) ?? -1) are read")
    }
    if let damaged = input.damaged, !input.syncs {
      expect((entryCount(damaged) ?? 0) >= entries - 1, "damage in the last line loses others")
    }
  }

  /// Returns the number of entries up to the end of a journal or its first fault; `nil` if the
  /// header is missing or has a fault.
  private static func entryCount(_ bytes: [UInt8]) -> Int? {
    do throws(JournalReader.Fault) {
      guard var reader = try JournalReader(bytes) else { return nil }
      do throws(JournalReader.Fault) {
        while try reader.next() != nil {}
        expect(reader.length <= bytes.count, "more of a journal counts than there is")
        _ = reader.unreadableLine
      } catch {
        expect(!"\(JournalError(error, "j"))".isEmpty, "a refusal says nothing")
      }
      return reader.lineCount - 1
    } catch {
      return nil
    }
  }

  /// Reads a journal in the same way as a program that shows a run in progress or an ended run.
  private static func read(_ bytes: [UInt8]) {
    do throws(JournalError) {
      let run = try RecordedRun(journal: bytes)
      expect(run.fault == nil, "a run was read that cannot have been: \(run.fault as Any)")
      expectReadsBack(run)
      ask(run)
    } catch {
      expect(!error.description.isEmpty, "a refusal says nothing")
    }
  }

  /// Continues a run in the same way as another process. A journal that is synced is only read,
  /// because syncing takes a real disk.
  private static func goOn(_ bytes: [UInt8]) {
    let program = nightly.pond.program()
    do throws(JournalReader.Fault) {
      guard var reader = try JournalReader(bytes) else { return }
      let outputs = JournaledOutputs(program: program, coder: JSONOutputs(), largest: 1 << 20)
      var known = JournalProgress(of: program.pond, outputs)
      while let (entry, payload) = try reader.next() { try known.add(entry, payload) }
      known.finish(at: 1_800_000_000_000_000_000)
      guard known.hasBegun, !known.isOver else { return }
      try known.check()
      guard !reader.syncs, known.lastTime < 1 << 60 else { return }
      var ended: [String: Bool] = [:]
      for case .ended(let end) in known.progress.steps {
        ended[program.pond.graph.names[end.pebble]] = end.succeeded
      }
      nightly.goOn(bytes, only: known.targets, after: ended)
    } catch {
      expect(!"\(JournalError(error, "j"))".isEmpty, "a refusal says nothing")
    }
  }

  fileprivate static let nightly = NightlyPond()
}

/// An input, decoded from its bytes. The first three bytes choose the format, a cut and a damage.
/// They are followed by a journal, or by the lines of a journal without their checksums.
private struct JournalInput {
  let bytes: [UInt8]
  let syncs: Bool
  let cut: Int

  /// The journal with one changed bit in the last line, and the same number of line breaks; `nil`
  /// if there is no such journal.
  let damaged: [UInt8]?

  private static let logic: [UInt8] = {
    var writer = JSONWriter(breaksLines: false)
    PondModelWriter(PondModel(FuzzTarget.nightly.pond.program().pond)).write(to: &writer)
    return writer.bytes
  }()

  init?(_ input: [UInt8]) {
    guard input.count > 3 else { return nil }
    let rest = input[3...]
    syncs = input[0] == UInt8(ascii: "s")
    bytes = input[0] == UInt8(ascii: "r") ? Array(rest) : Self.journal(rest, syncs: syncs)
    cut = bytes.count * Int(input[1]) / 256
    var damaged = bytes
    let end = bytes.dropLast().lastIndex(of: JournalHeader.lineBreak) ?? bytes.endIndex
    let place = end + 1 + Int(input[2]) / 8
    if place < bytes.count - 1 { damaged[place] ^= 1 << (input[2] & 7) }
    let breaks = { (bytes: [UInt8]) in bytes.count { $0 == JournalHeader.lineBreak } }
    self.damaged =
      damaged != bytes && breaks(damaged) == breaks(bytes)
        && bytes.last == JournalHeader.lineBreak ? damaged : nil
  }

  /// Returns a journal with the given lines. If the first line begins like a pond, it is used as
  /// the pond in the header.
  private static func journal(_ text: ArraySlice<UInt8>, syncs: Bool) -> [UInt8] {
    var lines = text.split(separator: JournalHeader.lineBreak)[...]
    var logic = logic
    if let first = lines.first, first.starts(with: #"{"format""#.utf8) {
      logic = Array(first)
      lines.removeFirst()
    }
    var bytes = JournalHeader(run: "fuzz", syncs: syncs, pond: logic).bytes
    for (number, line) in zip(2..., lines) {
      let tab = line.firstIndex(of: UInt8(ascii: "\t"))
      JournalLine.append(
        number, Array(line[..<(tab ?? line.endIndex)]), tab.map { Array(line[($0 + 1)...]) },
        to: &bytes)
    }
    return bytes
  }
}
