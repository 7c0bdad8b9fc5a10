import ArgumentParser
import Foundation
import Pebbles
import PebblesAnalysis
import PebblesPictures
import PondDefinition
import Workloads

/// A program that measures the cost of creating and viewing pictures of large runs.
@main
struct Pictures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pictures", abstract: "Measures what pictures of large runs cost.",
    discussion: "The exit status is 1 if a figure misses its target.")

  @Option(help: "How many pebbles the runs have that are looked at.")
  var count = 100_000

  @Option(help: "How many rows are filtered.")
  var rows = 500_000

  @Option(help: "The command pond, built for release.")
  var pond = ".build/release/pond"

  func run() async throws {
    print(Self.environment)
    var figures: [Figure] = []
    func report(_ new: [Figure]) {
      for figure in new { print(figure) }
      figures += new
    }

    report([try await Self.timeline()])
    let run = try await Self.run(of: count)
    report(try showing(run))
    let page = PageMeasurement.seconds { run.page() }
    report([Figure("making a page of \(count) pebbles", page.time, .seconds)])
    if let browser = try Chromium.start() {
      defer { browser.end() }
      report(try PageMeasurement(browser).figures(of: page.value))
      let large = try await Self.run(of: rows)
      report(try PageMeasurement(browser).filterFigures(of: large.page(), rows: rows))
    } else {
      print("Chromium is not installed: `apt-get install chromium` adds it")
    }
    if figures.contains(where: \.isMissed) { throw ExitCode(1) }
  }

  /// Returns the record of a run in which a tenth of the bodies fail.
  private static func run(of count: Int) async throws -> RecordedRun {
    try await definePond(Workload(.randomBoolean, size: count), tally: Tally()).run().recorded()
  }

  private static func timeline() async throws -> Figure {
    let run = try await run(of: 10_000)
    let times = (0..<5).map { _ in PageMeasurement.seconds { run.timeline() }.time }.sorted()
    return Figure("timeline of 10000 pebbles, median of 5", times[2], .seconds, atMost: 0.3)
  }

  /// Measures the command `pond show` in a separate process.
  private func showing(_ run: RecordedRun) throws -> [Figure] {
    guard FileManager.default.isExecutableFile(atPath: pond) else {
      print("there is no \(pond): `swift build -c release --product pond` makes it, in the root")
      return []
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "pond-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(run.json().utf8).write(to: file)
    let calls = try (0..<3).map { _ in try ProcessCost(of: pond, ["show", file.path]) }
    let times = calls.map(\.seconds).sorted()
    let memory = calls.map(\.megabytes).max() ?? 0
    return [
      Figure("pond show of \(count) pebbles, median of 3", times[1], .seconds, atMost: 2),
      Figure("pond show, most memory", memory, .megabytes, atMost: 400),
    ]
  }

  private static var environment: String {
    let processor = (try? String(contentsOf: URL(filePath: "/proc/cpuinfo"), encoding: .utf8))?
      .split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    let load = (try? String(contentsOf: URL(filePath: "/proc/loadavg"), encoding: .utf8))?
      .split(separator: " ").first
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return """
      \(Date.now.formatted(.iso8601.year().month().day())), \(processor ?? "unknown processor"), \
      \(cores) cores, load \(load ?? "unknown")
      """
  }
}

/// A measured value with its limit.
struct Figure: CustomStringConvertible {
  enum Unit: String {
    case seconds = "s"
    case milliseconds = "ms"
    case megabytes = "MB"
  }

  let name: String
  let value: Double
  let unit: Unit
  let most: Double?

  init(_ name: String, _ value: Double, _ unit: Unit, atMost most: Double? = nil) {
    (self.name, self.value, self.unit, self.most) = (name, value, unit, most)
  }

  var isMissed: Bool { most.map { value > $0 } ?? false }

  var description: String {
    let digits = value < 10 ? 3 : 0
    let text = value.formatted(.number.precision(.fractionLength(digits)).grouping(.never))
    let target = most.map { ", at most \($0.formatted()) \(isMissed ? "MISSED" : "met")" } ?? ""
    return "\(name): \(text) \(unit.rawValue)\(target)"
  }
}
