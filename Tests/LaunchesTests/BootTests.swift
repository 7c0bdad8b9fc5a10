import Foundation
import Pebbles
import PebblesTestSupport
import Synchronization
import Testing

@testable import launches

@Suite(.ownThreads, .watched) struct BootTests {
  let folder: TemporaryFolder
  let store: Store
  let shown = Notes()

  init() throws {
    folder = try TemporaryFolder()
    store = Store(path: folder.file("store.json"))
    _ = try folder.write(SampleFeeds.launches, to: "launches.json")
    _ = try folder.write(SampleFeeds.cores, to: "cores.json")
  }

  @Test func aGoodBootLoadsBothAndShowsThreeScreens() async throws {
    let boot = boot()
    let report = try await boot.pond.run()

    #expect(report[boot.loadLaunches] == 2)
    #expect(report[boot.loadCores] == 1)
    #expect(report.outcome(of: boot.refreshScreens).isSucceeded)
    try report.check()
    let text = try #require(shown.all.first)
    #expect(text.contains("Home\n────\n2 launches, loaded just now.\n1 core, loaded just now.\n"))
    #expect(text.contains("    1  First   2006-03-24 22:30  failure  B0001.1\n"))
    #expect(text.contains("  B0001        1    2 of 3  2006-03-24  First\n"))
  }

  @Test func theLoadsDoNotWaitForEachOther() async throws {
    let report = try await boot().pond.run()

    #expect(report.record(named: "loadLaunches")?.ready == report.record(named: "loadCores")?.ready)
    let edges = report.dot().split(separator: "\n").filter { $0.contains("->") }
    #expect(edges.count == 2)
    #expect(edges.allSatisfy { $0.contains("-> p2") && $0.contains("completed") })
  }

  @Test(arguments: [["loadLaunches"], ["loadCores"], ["loadLaunches", "loadCores"]])
  func loadsFailIndependentlyAndScreensShowWhatTheStoreHas(failing: Set<String>) async throws {
    _ = try await boot().pond.run()

    let boot = boot(failing: failing)
    let report = try await boot.pond.run()

    #expect(report.outcome(of: boot.loadLaunches).isFailed == failing.contains("loadLaunches"))
    #expect(report.outcome(of: boot.loadCores).isFailed == failing.contains("loadCores"))
    #expect(report.outcome(of: boot.refreshScreens).isSucceeded)
    // The screens ran because the loads completed, so the failures were taken care of.
    #expect(report.unhandledFailures.isEmpty)
    let text = try #require(shown.all.last)
    #expect(
      text.contains("! The launches could not be loaded. The store has 2")
        == failing.contains("loadLaunches"))
    #expect(
      text.contains("! The cores could not be loaded. The store has 1")
        == failing.contains("loadCores"))
    #expect(text.contains("First"))
  }

  @Test func withoutAnyDataThereIsNothingToShow() async throws {
    let boot = boot(failing: ["loadLaunches", "loadCores"])
    let report = try await boot.pond.run()

    #expect(
      report.outcome(of: boot.refreshScreens).error as? Problem
        == Problem("there is nothing to show: the store is empty"))
    #expect(shown.all.isEmpty)
    #expect(try folder.names == ["cores.json", "launches.json"])
  }

  @Test func aBadFileLeavesTheStoreWhole() async throws {
    _ = try await boot().pond.run()
    let before = try folder.text(of: "store.json")
    _ = try folder.write(#"[{"id": "a"}]"#, to: "launches.json")
    _ = try folder.write("[", to: "cores.json")

    let boot = boot()
    let report = try await boot.pond.run()

    #expect(report.outcome(of: boot.loadLaunches).error is Problem)
    #expect(report.outcome(of: boot.loadCores).error is Problem)
    #expect(try folder.text(of: "store.json") == before)
  }

  @Test func aScreenThatCannotBeShownFailsItsPebble() async throws {
    let full = Problem("cannot write standard output: no space left")
    let boot = boot(show: { _ in throw full })
    let report = try await boot.pond.run()

    #expect(report.outcome(of: boot.refreshScreens).error as? Problem == full)
  }

  @Test func thePebblesHaveTheNamesTheOptionsKnow() async throws {
    let report = try await boot().pond.run()

    #expect(report.records.map(\.name) == Boot.pebbleNames)
  }

  @Test func theSummaryInJSONHasCountsOutcomesAndTheMakespan() async throws {
    let report = try await boot(failing: ["loadCores"]).pond.run()

    let text = try JSONSummary(of: report, store: store.contents()).text()
    let summary = try JSONDecoder().decode(JSONSummary.self, from: Data(text.utf8))

    #expect(summary.launches == 2)
    #expect(summary.cores == 0)
    #expect(
      summary.outcomes == [
        "loadLaunches": "succeeded", "loadCores": "failed", "refreshScreens": "succeeded",
      ])
    #expect(summary.makespanMs > 0)
  }

  private func boot(
    failing: Set<String> = [], show: (@Sendable (Screens) throws -> Void)? = nil
  ) -> Boot {
    Boot(
      launches: Feed(name: "launches", path: folder.file("launches.json")),
      cores: Feed(name: "cores", path: folder.file("cores.json")), store: store, now: { .today },
      show: show ?? { [shown] in shown.add($0.text) },
      around: { context, body in
        if failing.contains(context.pebble) { throw Problem("it was asked for") }
        try await body()
      })
  }
}

/// A list of lines that several tasks can add to.
final class Notes: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  @Sendable func add(_ line: String) {
    lines.withLock { $0.append(line) }
  }
}
