import Foundation
import Pebbles
import PebblesAnalysis
import Testing

@testable import PebblesTemporal

/// Histories that a real server has kept. Runs that began with an earlier release go on with this
/// one, so what was decided then is decided now: if a test fails here, it is not the history that
/// has to change.
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

  /// What is made of a definition is of no less account than what is read from a history.
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

  /// The history of a pond that was recorded last.
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
