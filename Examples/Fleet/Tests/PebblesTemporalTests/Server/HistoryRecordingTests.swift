import Foundation
import Pebbles
import Testing

@testable import PebblesTemporal

/// A recorder of the histories that `Replay/KeptHistoryTests` replays. To enable it, set the
/// environment variable `RECORD_HISTORIES` to the name of a new folder, such as `2026-11-25`. Do
/// not replace existing histories, because runs started by the release that recorded them may still
/// be in progress.
@Suite(
  .needsTemporal,
  .enabled(if: KeptHistory.newFolder != nil, "nothing is recorded without RECORD_HISTORIES=DAY"),
  .timeLimit(.minutes(5)))
struct HistoryRecordingTests {
  @Test(arguments: KeptPond.all) func aRunIsRecorded(_ kept: KeptPond) async throws {
    let folder = try #require(KeptHistory.newFolder)
    let file = folder.appending(path: "\(kept.pond.name).json")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

    let history = try await history(of: kept).cleaned

    try await history.decideAgain()
    try Data(history.text().utf8).write(to: file, options: .withoutOverwriting)
  }

  private func history(of kept: KeptPond) async throws -> KeptHistory {
    let id = UUID().uuidString
    return try await withWorkers([kept.pond]) { temporal, options in
      let run = try await start(kept, on: temporal, id: id, options)
      if let cancelled = kept.cancelled {
        for await _ in cancelled { break }
        try await run.cancel()
      }
      _ = try await run.report()
      return KeptHistory(try await Disturber(temporal, id: id, seed: 0).events())
    }
  }

  private func start(
    _ kept: KeptPond, on temporal: Temporal, id: String, _ options: TemporalRunOptions
  ) async throws -> TemporalRun {
    if kept.isGraphSent {
      var options = options
      options.within = kept.within
      options.disabling = kept.disabling.map { .named($0) }
      return try await kept.pond.start(on: temporal, id: id, options)
    }
    try await temporal.checkNamespace()
    _ = try await TemporalServer.shared.operate(
      "workflow", "start", "--type", kept.pond.name, "--task-queue", options.taskQueue,
      "--workflow-id", id)
    return TemporalRun(temporal, id: id)
  }
}
