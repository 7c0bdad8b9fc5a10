import Foundation
import Pebbles
import Synchronization
import Testing

@testable import launches

@Suite struct BootTests {
  let folder: TemporaryFolder
  let store: Store
  let shown = Notes()
  let narrated = Notes()

  init() throws {
    folder = try TemporaryFolder()
    store = Store(path: folder.file("store.json"), now: { .today })
    _ = try folder.write(SampleFeeds.launches, to: "launches.json")
    _ = try folder.write(SampleFeeds.cores, to: "cores.json")
  }

  @Test func aGoodBootLoadsBothAndShowsThreeScreens() async throws {
    let boot = boot()
    let report = try await boot.pond.run()

    #expect(report[boot.loadLaunches] == Changes(created: 2))
    #expect(report[boot.loadCores] == Changes(created: 1))
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

    #expect(report.outcome(of: boot.refreshScreens).error is NothingToShow)
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

    #expect(report.outcome(of: boot.loadLaunches).error is FeedError)
    #expect(report.outcome(of: boot.loadCores).error is FeedError)
    #expect(try folder.text(of: "store.json") == before)
  }

  @Test func aScreenThatCannotBeShownFailsItsPebble() async throws {
    let full = FileError(path: "standard output", action: "write", reason: "no space left")
    let boot = boot(show: { _ in throw full })
    let report = try await boot.pond.run()

    #expect(report.outcome(of: boot.refreshScreens).error as? FileError == full)
  }

  @Test func thePebblesHaveTheNamesTheOptionsKnow() async throws {
    let report = try await boot().pond.run()

    #expect(report.records.map(\.name) == Boot.pebbleNames)
  }

  @Test func eachPebbleIsNarratedAsItStartsAndEnds() async throws {
    let boot = boot(failing: ["loadCores"])
    let report = try await boot.pond.run()
    Narrator(style: .plain, tell: narrated.add).bootEnded(report)

    let lines = narrated.all
    #expect(lines.count == 7)
    for name in Boot.pebbleNames {
      #expect(lines.contains("\(name) started"))
    }
    #expect(
      lines.contains { $0.hasPrefix("loadLaunches succeeded in ") && $0.hasSuffix(": 2 created") })
    #expect(lines.contains { $0.hasSuffix(": --fail loadCores asked for this") })
    #expect(lines[4] == "refreshScreens started")
    #expect(lines[6].hasPrefix("boot: 2 succeeded, 1 failed in "))
  }

  @Test func onATerminalTheNarrationIsAlignedAndColoredOnlyIfWanted() {
    for colored in [true, false] {
      let narrator = Narrator(style: .terminal(colored: colored), tell: narrated.add)
      narrator.pebbleStarted("loadCores")
      narrator.pebbleSucceeded("loadCores", after: .milliseconds(12), with: "1 created")
      narrator.pebbleFailed("loadLaunches", after: .seconds(11), with: NothingToShow())
    }

    #expect(narrated.all[0] == "\u{1B}[36m▸\u{1B}[0m loadCores")
    #expect(
      narrated.all[3...] == [
        "▸ loadCores",
        "✓ loadCores         12 ms  1 created",
        "✗ loadLaunches       11 s  there is nothing to show: the store is empty",
      ])
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
      launches: JSONFeed(path: folder.file("launches.json")),
      cores: JSONFeed(path: folder.file("cores.json")), store: store,
      stage: Stage(narrator: Narrator(style: .plain, tell: narrated.add), failing: failing),
      now: { .today }, show: show ?? { [shown] in shown.add($0.text) })
  }
}

/// Lines written down from several tasks.
final class Notes: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  @Sendable func add(_ line: String) {
    lines.withLock { $0.append(line) }
  }
}
