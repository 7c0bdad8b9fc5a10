import Pebbles
import PebblesAnalysis

@testable import PebblesDurable

/// A journal that a test writes line by line.
struct WrittenJournal {
  private(set) var bytes: [UInt8]
  private var lineCount = 1

  /// Creates the journal of a run that has begun, or only its header if `hasBegun` is `false`.
  init(of pond: Pond, syncs: Bool = false, hasBegun: Bool = true) {
    var logic = JSONWriter(breaksLines: false)
    PondModelWriter(PondModel(pond.program().pond)).write(to: &logic)
    bytes = JournalHeader(run: "written", syncs: syncs, pond: logic.bytes).bytes
    guard hasBegun else { return }
    tell(.process(identifier: 1, wallTime: 0, date: "", elapsed: 0))
    tell(.began(disabled: []))
  }

  /// Adds an entry, with an optional payload.
  mutating func tell(_ entry: JournalEntry, _ payload: String? = nil) {
    lineCount += 1
    JournalLine.append(lineCount, entry.bytes, payload.map { Array($0.utf8) }, to: &bytes)
  }

  /// Adds a line that is not a valid entry, as can be left by a loss of power.
  mutating func tear() {
    lineCount += 1
    bytes += Array("torn\n".utf8)
  }
}
