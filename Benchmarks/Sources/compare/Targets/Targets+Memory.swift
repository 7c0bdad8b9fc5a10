import Foundation
import Workloads

extension Targets {
  /// Measures the peak resident memory per pebble, in a separate process.
  func memory(of shape: Shape) throws -> TargetResult {
    let name = "bytes per pebble at 1000000"
    guard plan.sizes.contains(1_000_000) else {
      return TargetResult(name, shape.rawValue, limit: 220, nil, note: "not with --quick")
    }
    guard FileManager.default.fileExists(atPath: ResidentMemory.statusFile) else {
      return TargetResult(name, shape.rawValue, limit: 220, nil, note: "only on Linux")
    }
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let child = Process()
    let output = Pipe()
    child.executableURL = URL(filePath: executable)
    child.arguments = [MemoryCommand._commandName, shape.rawValue, "1000000"]
    child.standardOutput = output
    try child.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    child.waitUntilExit()

    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard child.terminationStatus == 0, let bytes = Double(text) else {
      throw ComparisonError.childFailed("it ended with \(child.terminationStatus): \(text)")
    }
    return TargetResult(name, shape.rawValue, limit: 220, Spread([bytes]))
  }
}
