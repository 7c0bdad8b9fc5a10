import Foundation
import Pebbles
import PebblesDurable
import PebblesTestSupport
import Synchronization
import Testing

/// A pond with something of everything, and what its bodies have done.
struct NightlyPond: Sendable {
  let pond = Pond("nightly")
  let calls = Logbook<String>()
  let closed = Logbook<String>()
  let size: Pebble<Int>
  let parsed: Pebble<[String]>
  let report: Pebble<String>

  struct Refused: Error {}
  final class Handle: Sendable {}

  init() {
    let (pond, calls, closed) = (pond, calls, closed)
    let size = pond.given("size", default: 3)
    let database: Pebble<String> = pond.service("database") { ready in
      calls.note("database")
      ready("db")
      await ready.stopRequested()
    }
    let fetched = pond.pebble(
      "fetch", .retry(.attempts(3)), needs: size, teardown: { (_: [Int]) in closed.note("fetch") }
    ) { size in
      calls.note("fetch")
      if PebbleContext.current?.attempt == 1 { throw Refused() }
      return Array(0..<size)
    }
    let handle = pond.pebble("handle") {
      calls.note("handle")
      return Handle()
    }
    let mirror = pond.pebble("mirror", needs: fetched) { _ in
      calls.note("mirror")
      throw Refused()
    }
    let refused = mirror.failed("refused") { $0 is Refused }
    let parsed = pond.pebble(
      "parse", .exclusive("cpu"), needs: fetched, handle, database,
      when: refused, teardown: { (_: [String]) in closed.note("parse") }
    ) { fetched, _, database in
      calls.note("parse")
      return fetched.map { "\(database)-\($0)" }
    }
    pond.pebble("never", when: mirror.succeeded) { calls.note("never") }
    pond.pebble("off", .enabled { false }) { calls.note("off") }
    report = pond.pebble("report", .exclusive("cpu"), needs: parsed, handle) { parsed, _ in
      calls.note("report")
      return parsed.joined(separator: ",")
    }
    self.size = size
    self.parsed = parsed
  }

  static let outcomes = [
    "size succeeded", "database succeeded", "fetch succeeded", "handle succeeded", "mirror failed",
    "parse succeeded", "never skipped", "off skipped", "report succeeded",
  ]

  func outcomes(of report: Report) -> [String] {
    report.records.map { "\($0.name) \($0.outcome.isSucceeded ? "succeeded" : $0.outcome.isFailed ? "failed" : "skipped")" }
  }
}

@Suite struct JournalCutTests {
  @Test func aRunThatIsCutAnywhereGoesOnThere() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("nightly.journal")
    let first = NightlyPond()
    let run = try await first.pond.start(journal: Journal(at: path), given: [first.size.value(2)])
    let report = try await run.report
    #expect(first.outcomes(of: report) == NightlyPond.outcomes)
    #expect(report[first.report] == "db-0,db-1")
    let up = try Data(contentsOf: URL(fileURLWithPath: path))
    _ = try await run.shutdown()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    print(String(decoding: whole, as: UTF8.self))
    #expect(first.closed.entries.sorted() == ["fetch", "parse"])

    for length in stride(from: 0, through: up.count, by: 1) {
      let path = folder.file("cut.journal")
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      let again = NightlyPond()
      let run = try await again.pond.start(
        journal: Journal(at: path), given: [again.size.value(2)])
      let report = try await run.report
      #expect(again.outcomes(of: report) == NightlyPond.outcomes, "\(length)")
      #expect(report[again.report] == "db-0,db-1", "\(length)")
      let kept = String(decoding: whole.prefix(length), as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false).dropLast()
      for name in ["fetch", "mirror", "parse", "report"]
      where kept.contains(where: { $0.contains("\"ended\", \"pebble\": \"\(name)\"") }) {
        #expect(!again.calls.entries.contains(name), "\(length) \(name)")
      }
      _ = try await run.shutdown()
      #expect(again.closed.entries.sorted() == ["fetch", "parse"], "\(length)")
      #expect(try folder.text(of: "cut.journal").contains("\"over\""))
    }
  }
}
