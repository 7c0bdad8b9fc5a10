import CHeap
import Foundation

/// The resident memory of this process.
enum ResidentMemory {
  /// The memory in bytes, after releasing the free part of the heap; `nil` if the system is not
  /// Linux.
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
  /// The number of threads; `nil` if the system is not Linux.
  static var count: Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}
