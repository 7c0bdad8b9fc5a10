import Foundation
import Pebbles
import PebblesDurable

/// A program that measures the cost of a journal, and of resuming a run from a journal. It prints
/// the medians of several rounds, in which the variants take turns in one process.
@main
struct JournalCost {
  static let rounds = 5
  static let count = 20_000

  static func main() async throws {
    let folder = NSTemporaryDirectory() + "journal-cost-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/run.journal"

    try await perPebble(path)
    try await resuming(path)
    try await surviving(path)
  }

  /// Measures a run with a journal, the same run without a journal, and writing the journal alone.
  private static func perPebble(_ path: String) async throws {
    var rows: [String: [Double]] = [:]
    for _ in 0..<rounds {
      for (name, pond) in [("Void", voids(count)), ("Int", numbers(count))] {
        _ = try await pond.run()
        rows["\(name) without", default: []].append(
          try await seconds { _ = try await pond.run() })
        try? FileManager.default.removeItem(atPath: path)
        rows["\(name) with", default: []].append(
          try await seconds { _ = try await pond.run(journal: Journal(at: path)) })
        let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 10)
        rows["\(name) writes", default: []].append(
          try await seconds { try write(lines.dropFirst(), to: path + ".raw") })
      }
    }
    print("\(count) independent pebbles, microseconds for each, medians of \(rounds)")
    for name in ["Void", "Int"] {
      let figures = ["without", "with", "writes"].map { median(rows["\(name) \($0)"] ?? []) }
        .map { $0 / Double(count) * 1e6 }
      print(
        "  \(name): without \(short(figures[0])), with \(short(figures[1])), the writes alone "
          + "\(short(figures[2])): beside them \(short(figures[1] - figures[0] - figures[2]))")
    }
  }

  private static func write(_ lines: ArraySlice<Data>, to path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    defer { close(file) }
    var offset = 0
    for line in lines {
      line.withUnsafeBytes { _ = pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
      offset += line.count + 1
    }
  }

  /// Measures the time from the call that resumes a run until the run ends. The run has many
  /// pebbles, of which only the last one's body has not ended yet.
  private static func resuming(_ path: String) async throws {
    let count = 100_000
    let first = numbers(count, last: { throw CancellationError() })
    try? FileManager.default.removeItem(atPath: path)
    let run = try await first.start(journal: Journal(at: path))
    _ = try await run.report
    // The file is edited as if the process had died before its last body.
    let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 10)
    let kept = lines.filter {
      $0.range(of: Data("\"last\", ".utf8)) == nil || $0.starts(with: Data("pond".utf8))
    }
    .filter { $0.range(of: Data("\"over\"".utf8)) == nil }
    var journal = Data()
    for line in kept { journal += line + Data([10]) }
    var times: [Double] = []
    for _ in 0..<3 {
      try journal.write(to: URL(fileURLWithPath: path))
      let again = numbers(count, last: {})
      times.append(
        try await seconds {
          let report = try await again.run(journal: Journal(at: path))
          precondition(report.succeeded(.named("last")) && report.isAllSucceeded)
        })
    }
    print(
      "\(kept.count) lines, \(count) of them ends, \(journal.count >> 20) MiB: "
        + "gone on with in \(short(median(times))) s")
  }

  /// Measures runs whose journal waits until each entry has been written to disk.
  private static func surviving(_ path: String) async throws {
    for (name, pond) in [("independent", voids(500)), ("chain", chain(100))] {
      try? FileManager.default.removeItem(atPath: path)
      var count = 0
      let time = try await seconds {
        count = try await pond.run(journal: Journal(at: path, surviving: .powerLoss)).records.count
      }
      let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
      let syncs = text.split(separator: "\n").filter { $0.contains("\"synced\"") }.count
      print(
        "surviving a loss of power, \(count) \(name): \(short(time / Double(count) * 1e6)) µs each,"
          + " the disk was waited for \(syncs) times")
    }
  }

  // MARK: Ponds

  private static func voids(_ count: Int) -> Pond {
    let pond = Pond("voids")
    for number in 0..<count { pond.pebble("pebble \(number)") {} }
    return pond
  }

  private static func numbers(
    _ count: Int, last: (@Sendable () async throws -> Void)? = nil
  ) -> Pond {
    let pond = Pond("numbers")
    var conditions: [Condition] = []
    for number in 0..<count {
      conditions.append(pond.pebble("pebble \(number)") { number }.succeeded)
    }
    if let last { pond.pebble("last", when: .all(conditions), body: last) }
    return pond
  }

  private static func chain(_ count: Int) -> Pond {
    let pond = Pond("chain")
    var condition = Condition.always
    for number in 0..<count {
      condition = pond.pebble("pebble \(number)", when: condition) {}.succeeded
    }
    return pond
  }

  // MARK: Measuring

  private static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func short(_ value: Double) -> String { String(format: "%.2f", value) }
}
