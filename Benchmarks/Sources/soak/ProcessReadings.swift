import CHeap
import Foundation

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

  static var text: String { bytes.map(text) ?? "(unknown)" }

  static func text(_ bytes: Int) -> String { "\(bytes >> 10) KiB" }
}

/// The threads of this process.
enum SystemThreads {
  /// `nil` where the system does not tell the way Linux does.
  static var count: Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}
