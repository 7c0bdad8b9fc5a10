import Foundation
import PebblesTestSupport
import Testing

@testable import launches

@Suite struct FeedTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func aLaunchIsReadFromTheShapeOfTheAPI() throws {
    let launches = try launches(SampleFeeds.launches)

    #expect(
      launches.first
        == Launch(
          id: "a", flightNumber: 1, name: "First",
          date: Date(timeIntervalSince1970: 1_143_239_400), datePrecision: .hour,
          isUpcoming: false, succeeded: false, crewSize: 0,
          cores: [CoreFlight(coreID: "c", flight: 1)]))
    #expect(launches.last?.isUpcoming == true)
    #expect(launches.last?.datePrecision == .month)
    #expect(launches.last?.cores == [CoreFlight(coreID: nil, flight: nil)])
  }

  @Test func whatTheAPILeavesOutIsTolerated() throws {
    let launch = try #require(launches(#"[{"id": "a", "name": "N", "date_unix": 0}]"#).first)

    #expect(launch.date == Date(timeIntervalSince1970: 0))
    #expect(launch.flightNumber == nil)
    #expect(launch.cores.isEmpty)
    #expect(!launch.isUpcoming)
  }

  @Test func nullsUnknownFieldsAndNewPrecisionsAreTolerated() throws {
    let launch = try #require(
      launches(
        """
        [{"id": "a", "name": "N", "date_utc": "2020-01-02T03:04:05Z", "date_precision": "epoch",
          "flight_number": null, "success": null, "cores": null, "upcoming": null, "new": [{}],
          "crew": ["x", {"crew": "y", "role": "Pilot"}]}]
        """
      ).first)

    #expect(launch.datePrecision == .day)
    #expect(launch.crewSize == 2)
    #expect(launch.succeeded == nil)
  }

  @Test func landingsOnLandAndAtSeaAreAddedUp() throws {
    let core = try #require(cores(SampleFeeds.cores).first)

    #expect(core.serial == "B0001")
    #expect(core.landingAttempts == 3)
    #expect(core.landings == 2)
    #expect(core.launchIDs == ["a"])
  }

  @Test func landingsCountedTogetherAreReadAsWell() throws {
    let text = #"[{"id": "c", "launches": ["a"], "landing_attempts": 5, "landings": 4}]"#
    let core = try #require(cores(text).first)

    #expect(core.landingAttempts == 5)
    #expect(core.landings == 4)
    #expect(core.serial == nil)
  }

  @Test(arguments: [
    (#"{"name": "N", "date_unix": 1}"#, "launches[1].id: it is missing"),
    (#"{"id": "", "name": "N", "date_unix": 1}"#, "launches[1].id: it is empty"),
    (#"{"id": "x", "name": null, "date_unix": 1}"#, "launches[1].name: "),
    (
      #"{"id": "x", "name": "N"}"#,
      "launches[1].date_utc: it should be a date since 1970, like 2006-03-24T22:30:00Z"
    ),
    (
      #"{"id": "x", "name": "N", "date_unix": 1, "flight_number": "7"}"#,
      "launches[1].flight_number: "
    ),
    (
      #"{"id": "x", "name": "N", "date_unix": 1, "flight_number": 1.5}"#,
      "launches: it is cut short, nested too deep, has a fraction for a whole number, or is not "
        + "JSON"
    ),
    (#"{"id": "x", "name": "N", "date_unix": 1e300}"#, "launches[1].date_utc: it should be a date"),
    (#"{"id": "x", "name": "N", "date_unix": -1}"#, "launches[1].date_utc: it should be a date"),
    (#"{"id": "x", "name": "N", "date_utc": "soon"}"#, "launches[1].date_utc: it should be a date"),
    (
      #"{"id": "x", "name": "N", "date_unix": 1, "cores": [{"core": 7}]}"#,
      "launches[1].cores[0].core: "
    ),
    (#"{"id": "x", "name": "N", "date_unix": 1, "cores": {}}"#, "launches[1].cores: "),
    ("[]", "launches[1]: "),
    (
      #"{"id": "a", "name": "Other", "date_unix": 1}"#,
      "launches[0] and launches[1] have the same id, a, but differ"
    ),
  ])
  func aWrongFieldIsNamedWithItsPath(item: String, problem: String) throws {
    let text = #"[{"id": "a", "name": "N", "date_unix": 1}, \#(item)]"#

    let error = #expect(throws: Problem.self) { try launches(text) }

    let sentence = try #require(error?.description)
    #expect(sentence.hasPrefix("cannot use \(folder.file("feed.json")): \(problem)"))
    // Where the decoder says what is wrong, it says it in English.
    #expect(!problem.hasSuffix(": ") || sentence.contains(/: (Expected|Cannot) .*found/))
  }

  @Test func anEqualCopyOfAnItemIsThatItem() throws {
    let item = #"{"id": "a", "name": "N", "date_unix": 1}"#

    #expect(try launches("[\(item), \(item)]").count == 1)
  }

  @Test(arguments: [#""rtls_landings": -1"#, #""landings": 9223372036854775807"#])
  func countsThatCannotBeAreErrors(field: String) {
    #expect(throws: Problem.self) { try cores(#"[{"id": "c", \#(field)}]"#) }
  }

  @Test(arguments: ["{}", "null", "7", #""launches""#])
  func aDocumentThatIsNoListIsAnError(text: String) {
    let error = #expect(throws: Problem.self) { try launches(text) }

    #expect(error?.description.contains("feed.json: launches: ") == true)
  }

  @Test func anEmptyListIsAnEmptyList() throws {
    #expect(try launches("[]") == [])
  }

  private func launches(_ text: String) throws -> [Launch] {
    try Feed<ServedLaunch>(name: "launches", path: folder.write(text, to: "feed.json")).read()
  }

  private func cores(_ text: String) throws -> [Core] {
    try Feed<ServedCore>(name: "cores", path: folder.write(text, to: "feed.json")).read()
  }
}
