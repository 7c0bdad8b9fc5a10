import Foundation

/// The machine and the date of a measurement.
struct Environment: Codable, Sendable {
  let date: String
  let processor: String
  let cores: Int
  let system: String
  let oneTBB: String?
  let command: String

  init() {
    let cpuinfo = try? String(contentsOf: URL(filePath: "/proc/cpuinfo"), encoding: .utf8)
    let model = cpuinfo?.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = model?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    processor = name ?? "unknown processor"
    date = Date.now.formatted(.iso8601.year().month().day())
    cores = ProcessInfo.processInfo.activeProcessorCount
    system = ProcessInfo.processInfo.operatingSystemVersionString
    oneTBB = OneTBBContestant.version
    let arguments = CommandLine.arguments.dropFirst().joined(separator: " ")
    command = "swift run -c release --package-path Benchmarks compare \(arguments)"
  }

  var description: String {
    let peer = oneTBB.map { "oneTBB \($0)" } ?? "without oneTBB"
    return "\(date), \(processor), \(cores) cores, \(system), \(peer)\n`\(command)`"
  }
}
