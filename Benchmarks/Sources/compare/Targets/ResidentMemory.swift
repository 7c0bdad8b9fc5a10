import CHeap
import Foundation

/// Resident memory of this process in bytes, as Linux accounts for it.
enum ResidentMemory {
  static let statusFile = "/proc/self/status"

  /// Gives free memory back, sets the peak back to what is resident now, and returns that.
  static func resetPeak() throws -> Int {
    // What making the workload has left behind would otherwise be there for the pond to use.
    heap_trim()
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    return try peak()
  }

  /// The most there has been since the start of the process, or since the reset.
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
