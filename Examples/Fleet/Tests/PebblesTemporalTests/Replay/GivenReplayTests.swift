import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for the histories of runs that have given values or are limited to a part of their pond.
@Suite struct GivenReplayTests {
  private let pond = Pond("load")
  private let day: Pebble<String>

  init() {
    day = pond.given("day", String.self)
    let isMonday = day.succeeded("Monday") { $0 == "Monday" }
    pond.pebble("weekly", needs: day, when: isMonday) { _ in }
    pond.pebble("daily", needs: day) { _ in }
  }

  private func history(
    _ given: [RunSettings.GivenOutput]?, only: [String]? = nil
  ) throws -> HistoryMaker {
    try HistoryMaker(pond) { settings in
      settings.given = given
      settings.only = only
    }
  }

  @Test func itsCasesAreReadAndNotAsked() throws {
    let monday = [PebbleCase.succeeded("Monday")]

    let weekly = try history([.init(pebble: "day", cases: monday, output: nil)])
    let daily = try history([.init(pebble: "day", cases: [], output: nil)])

    #expect(try weekly.decide() == ["weekly", "daily"])
    #expect(try daily.decide() == ["daily"])
    #expect(weekly.replay.status.cases == ["day": "succeeded as Monday"])
  }

  @Test func aRunInPartNeedsOnlyWhatThatReads() throws {
    pond.pebble("other") {}

    #expect(try history(nil, only: ["other"]).decide() == ["other"])
  }

  @Test func whatIsMissingTwiceOrOfAnotherPondIsSaid() {
    func problem(_ given: [RunSettings.GivenOutput]?) -> String {
      let error = #expect(throws: ReplayError.self) { try history(given) }
      return error.map { "\($0)" } ?? ""
    }
    let day = RunSettings.GivenOutput(pebble: "day", cases: [], output: nil)

    #expect(problem(nil).contains("without its cases"))
    #expect(problem([day, day]).contains("two values for day"))
    #expect(problem([day, .init(pebble: "night", cases: [], output: nil)]).contains("night"))
    #expect(problem([day, .init(pebble: "daily", cases: [], output: nil)]).contains("a body"))
    #expect(
      problem([.init(pebble: "day", cases: [.succeeded("Friday")], output: nil)])
        .contains("Friday"))
  }

  @Test func olderWorkersLeaveItToOthers() throws {
    let model = try pond.model()
    var settings = RunSettings()
    #expect(RunInput(model, settings).settings.version == 2)
    settings.only = ["daily"]
    #expect(RunInput(model, settings).settings.version == 3)
    settings.only = nil
    settings.given = [.init(pebble: "day", cases: [], output: 0)]
    let input = RunInput(model, settings)
    #expect(input.settings.version == 3)
    // What it is given is cut off.
    let texts = try input.encoded().map { Data($0) }
    #expect(throws: ReplayError.self) { try RunInput(texts) }
    #expect(try RunInput(texts, [TemporalPayload(json: "\"Monday\"".utf8)]).outputs.count == 1)
  }
}
