import CHeap
import Foundation

/// The resident memory of this process, in bytes, as measured by Linux.
enum ResidentMemory {
  static let statusFile = "/proc/self/status"

  /// Releases free memory, resets the peak to the current resident memory, and returns this value.
  static func resetPeak() throws -> Int {
    // Otherwise the pond could reuse memory left over from making the workload.
    heap_trim()
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    return try peak()
  }

  /// Returns the peak resident memory since the last reset or, without a reset, since the process
  /// started.
  static func peak() throws -> Int {
    let status = try String(contentsOf: URL(filePath: statusFile), encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first,
      let number = Int(kilobytes)
    else {
      throw ComparisonError.childFailed("there is no VmHWM in \(statusFile)")
    }
    return number * 1_024
  }
}
