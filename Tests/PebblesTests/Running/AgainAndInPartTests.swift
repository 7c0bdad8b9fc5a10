import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that execute the examples of the page *Again, and in part*. They expect the report that
/// the page shows.
@Suite(.watched) struct AgainAndInPartTests {
  private let clock = AlarmClock()
  private let pond = Pond("boot")
  private let journal = Logbook<String>()
  private let network = Network()

  private struct Settings: Sendable {
    let server = "api.spacexdata.com"
  }

  @Test func theButtonRunsAgainWhatFailed() async throws {
    let settings = pond.pebble("settings") { [journal] in
      journal.note("settings")
      return Settings()
    }
    let store = pond.pebble("store", teardown: { [journal] _ in journal.note("close") }) {
      [journal] in
      journal.note("open")
      return 1
    }
    let launches = pond.pebble("launches", .retry(.attempts(2)), needs: settings) {
      [journal, network] settings in
      journal.note("ask \(settings.server)")
      try network.reach()
      return [1, 2, 3]
    }
    let save = pond.pebble("save", needs: store, launches) { [journal] _, launches in
      journal.note("save \(launches.count)")
    }
    pond.pebble("offline", when: launches.failed) { @MainActor [journal] in
      journal.note("offline")
    }
    let home = pond.pebble("home", when: save.succeeded) { @MainActor [journal] in
      journal.note("home")
    }

    var run = try pond.start(clock: clock)
    let first = try await run.report
    network.goOnline()
    run = try await run.resumed(clock: clock)
    let report = try await run.report

    #expect(first.failed(launches) && report.succeeded(home))
    #expect(Set(journal.entries.prefix(5)).isSuperset(of: ["settings", "open", "offline"]))
    #expect(journal.entries.suffix(3) == ["ask api.spacexdata.com", "save 3", "home"])
    let text = "\(report)".replacing("\(first.identifier)", with: "4f1c")
    #expect(try Self.page().contains(text), "\(text)")

    run = try await run.resumed(only: [launches], clock: clock)
    let part = try await run.report

    #expect(journal.entries.last == "close")
    #expect(part.outcome(of: home).skipReason == .notAskedFor)
    #expect(part.record(of: launches)?.keptFrom != nil)
    try await run.shutdown().check()
    #expect(journal.entries.filter { $0 == "close" }.count == 1)
  }

  private static func page() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "Sources/Pebbles/Pebbles.docc/AgainAndInPart.md"),
      encoding: .utf8)
  }
}
