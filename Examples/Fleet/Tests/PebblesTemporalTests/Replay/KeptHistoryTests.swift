import Foundation
import Pebbles
import PebblesAnalysis
import Testing

@testable import PebblesTemporal

/// Tests with histories recorded from a real server. Runs that began with an earlier release
/// continue with this one, which must therefore make the same decisions. If one of these tests
/// fails, correct the code, not the history.
@Suite struct KeptHistoryTests {
  @Test(arguments: KeptHistory.files)
  func whatWasDecidedIsDecidedAgain(_ file: String) async throws {
    let history = try KeptHistory(file: file)

    let run = try await history.decideAgain()

    let record = try history.record()
    // Without what decided each skip, which may be told better some day.
    #expect(run.recorded()?.pebbles.map(\.outcome.word) == record.pebbles.map(\.outcome.word))
    #expect(run.recorded()?.pebbles.map(\.cases) == record.pebbles.map(\.cases))
    #expect(
      run.recorded()?.shutdown?.teardowns.map(\.pebble) == record.shutdown?.teardowns.map(\.pebble))
  }

  /// Checks that the current definition of a pond leads to the same decisions as the recorded
  /// graph.
  @Test(arguments: KeptHistory.files)
  func thePondAsItIsNowDecidesTheSame(_ file: String) async throws {
    let history = try KeptHistory(file: file)
    let kept = try #require(KeptPond.all.first { file.hasSuffix("/\($0.pond.name).json") })

    try await history.of(kept.pond).decideAgain()
  }

  @Test(arguments: KeptPond.all) func eachPondHasAHistory(_ kept: KeptPond) {
    #expect(KeptHistory.files.contains { $0.hasSuffix("/\(kept.pond.name).json") })
  }

  @Test func togetherTheyHaveEveryKindOfCommand() throws {
    let histories = try KeptHistory.files.map { try KeptHistory(file: $0) }
    let commands = Set(histories.flatMap(\.events).compactMap(KeptCommand.init))

    #expect(commands.isSuperset(of: [.recordGraph, .complete, .fail, .cancelRun]))
    #expect(commands.contains(.startTimer(RunReplay.deadlineTimer)))
    #expect(commands.contains { if case .cancel = $0 { true } else { false } })
    #expect(commands.contains(.call("teardown of database")))
  }

  @Test(arguments: KeptHistory.files)
  func nothingIsToldOfTheMachineThatRecordedIt(_ file: String) throws {
    let url = KeptHistory.folder.appending(path: file)
    let history = try KeptHistory(file: file)

    #expect(try history.cleaned.text() == String(contentsOf: url, encoding: .utf8))
  }

  // MARK: - What is changed is found

  /// Returns the most recently recorded history of a pond.
  private func latest(of kept: KeptPond) throws -> KeptHistory {
    let file = KeptHistory.files.last { $0.hasSuffix("/\(kept.pond.name).json") }
    return try KeptHistory(file: try #require(file))
  }

  private func problem(_ history: KeptHistory) async -> String? {
    do { try await history.decideAgain() } catch { return "\(error)" }
    return nil
  }

  @Test func anotherPriorityIsNamedWithWhatItChanges() async throws {
    let history = try await latest(of: .wide()).of(KeptPond.wide(last: -5).pond)

    let problem = try #require(await problem(history))

    #expect(problem.contains("the server was told to call part 8, to call part 2"), "\(problem)")
    #expect(problem.contains("and now it would be told to call part 2"), "\(problem)")
  }

  @Test(arguments: [2, 4]) func anotherLimitIsNamedWithWhatItChanges(limit: Int) async throws {
    let history = try await latest(of: .wide()).of(KeptPond.wide(limit: limit).pond)

    let problem = try #require(await problem(history))

    #expect(problem.contains("the server was told to call part 8, to call part 2"), "\(problem)")
  }

  @Test func anotherConditionIsNamedWithWhatItChanges() async throws {
    let history = try await latest(of: .missed()).of(KeptPond.missed(rollsBack: false).pond)

    let problem = try #require(await problem(history))

    #expect(problem.contains("to call roll back"), "\(problem)")
    let error = await #expect(throws: ReplayError.self) { _ = try await history.told() }
    let description = error?.description ?? ""
    #expect(description.hasSuffix("\"roll back\" was started, but has settled"), "\(description)")
  }
}
