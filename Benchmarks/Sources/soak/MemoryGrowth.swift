import CHeap
import Foundation

/// Compares the resident memory after a tenth of the rounds with that at the end.
struct MemoryGrowth {
  /// A quarter and some megabytes are what the allocator may do without a leak.
  private static let allowance = 4 << 20

  private let rounds: Int
  private var afterTenth: Int?
  private var atEnd: Int?

  init(rounds: Int) {
    self.rounds = rounds
  }

  mutating func roundEnded(_ count: Int) {
    if count == max(1, rounds / 10) { afterTenth = ResidentMemory.bytes }
    if count == rounds { atEnd = ResidentMemory.bytes }
  }

  var isGrowing: Bool {
    guard let afterTenth, let atEnd else { return false }
    return atEnd > afterTenth + afterTenth / 4 + Self.allowance
  }

  var summary: String {
    let verdict = isGrowing ? "FAILED: memory grows" : "memory is flat"
    return "\(verdict): resident \(ResidentMemory.text(afterTenth)) after a tenth, "
      + "\(ResidentMemory.text(atEnd)) at the end"
  }
}

/// Resident memory of this process.
enum ResidentMemory {
  /// In bytes, with what the heap has free given back before; `nil` where the system does not tell
  /// the way Linux does.
  static var bytes: Int? {
    heap_trim()
    let words = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    guard let pages = words?.dropFirst().first.flatMap({ Int($0) }) else { return nil }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  static var text: String { text(bytes) }

  static func text(_ bytes: Int?) -> String {
    bytes.map { "\($0 >> 10) KiB" } ?? "(unknown)"
  }
}
