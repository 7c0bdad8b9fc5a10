import Foundation
import Testing

@testable import launches

@Suite struct ScreensTests {
  @Test func nextIsTheFirstPlannedAndLastTheLatestFlown() {
    let home = HomeScreen(
      launches: [
        sampleLaunch("far", year: 2030, isUpcoming: true), sampleLaunch("old", year: 2010),
        sampleLaunch("near", year: 2023, isUpcoming: true), sampleLaunch("recent", year: 2021),
        sampleLaunch("overdue", year: 2022, isUpcoming: true),
      ], now: .today)

    #expect(home.next?.id == "near")
    #expect(home.last?.id == "recent")
  }

  @Test func anOldListSaysThatItsNextLaunchHasPassed() {
    let home = HomeScreen(
      launches: [sampleLaunch("overdue", year: 2020, isUpcoming: true)], now: .today)

    #expect(home.next?.id == "overdue")
    #expect(home.lines.contains { $0.contains("that has passed, so the list is old") })
    #expect(home.lines.contains { $0.contains("none has flown") })
  }

  @Test func yearsAreCountedFlownAndPlanned() {
    let home = HomeScreen(
      launches: [
        sampleLaunch("a", year: 2020), sampleLaunch("b", year: 2020),
        sampleLaunch("c", year: 2022), sampleLaunch("d", year: 2022, isUpcoming: true),
      ], now: .today)

    #expect(home.lines.suffix(2) == ["  2020  ██ 2", "  2022  █░ 1 flown, 1 planned"])
  }

  @Test func aBusyYearStillFitsTheLine() throws {
    let home = HomeScreen(launches: (0..<5000).map { sampleLaunch("\($0)") }, now: .today)

    let line = try #require(home.lines.last)

    #expect(line.count < 60)
    #expect(line.hasSuffix("█ 5000"))
  }

  @Test func launchesAreNewestFirstWithTheirCores() throws {
    var contents = Store.Contents()
    contents.cores = Stored(items: [sampleCore("core-1", serial: "B1048")], loadedAt: .today)
    contents.launches = Stored(
      items: [
        sampleLaunch("a", name: "Old", year: 2010, succeeded: false),
        sampleLaunch(
          "b", name: "New", year: 2020,
          cores: [
            CoreFlight(coreID: "core-1", flight: 3), CoreFlight(coreID: "unknown-core", flight: 1),
          ]),
      ], loadedAt: .today)

    let lines = launchLines(contents)

    #expect(
      lines
        == [
          "  No.  Name  Date (UTC)        Outcome  Cores",
          "    7  New   2020-04-01 12:00  success  B1048.3, …n-core.1",
          "    7  Old   2010-04-01 12:00  failure  not assigned",
        ])
  }

  @Test func plannedFlightsOfACoreAreNoFlights() {
    var contents = Store.Contents()
    contents.launches = Stored(
      items: [
        sampleLaunch("a", name: "Flown", year: 2019),
        sampleLaunch("b", name: "Planned", year: 2030, isUpcoming: true),
      ], loadedAt: .today)
    contents.cores = Stored(
      items: [sampleCore("c", serial: "B1", launches: ["a", "b"])], loadedAt: .today)

    let lines = rocketLines(contents)

    #expect(lines.last?.hasPrefix("  B1          1         –  2019-") == true)
    #expect(lines.last?.hasSuffix("  Flown") == true)
  }

  @Test func whatCouldNotBeLoadedSaysHowOldItIs() throws {
    var contents = Store.Contents()
    let threeHoursAgo = Date.today.addingTimeInterval(-3 * 3600)
    contents.launches = Stored(items: [sampleLaunch("a")], loadedAt: threeHoursAgo)

    let screens = try Screens(
      of: contents, launchesFailed: true, coresFailed: true,
      now: .today)

    let launches = """
      ! The launches could not be loaded. The store has 1, loaded 3 hours ago, \
      on 6 October 2022, 09:00 UTC.
      """
    let cores = "! No cores: they could not be loaded, and never were before."
    #expect(screens.text.contains("Home\n────\n\(launches)\n\(cores)\n\n"))
    #expect(
      screens.text.contains("\nLaunches, newest first\n──────────────────────\n\(launches)\n\n"))
    #expect(
      screens.text.hasSuffix("\nRockets, most flown first\n─────────────────────────\n\(cores)\n"))
  }

  @Test func anEmptyStoreHasNothingToShow() {
    #expect(throws: Problem.self) {
      try Screens(of: Store.Contents(), launchesFailed: false, coresFailed: false, now: .today)
    }
  }

  @Test func namesCannotPaintOnTheTerminal() throws {
    let evil = "a\u{1B}[31mb\nc\u{202E}d\u{9B}e\u{7}\r"
    var contents = Store.Contents()
    contents.launches = Stored(
      items: [sampleLaunch("a", name: evil, cores: [CoreFlight(coreID: evil, flight: 1)])],
      loadedAt: .today)
    contents.cores = Stored(
      items: [sampleCore("c", serial: evil, launches: ["a"])], loadedAt: .today)

    let text = try Screens(of: contents, launchesFailed: false, coresFailed: false, now: .today)
      .text

    #expect(text.contains("a�[31mb�c�d�e��"))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.properties.isControl })
  }

  @Test func longNamesAreCutToTheirColumn() {
    let rows = [[String(repeating: "é", count: 10_000), "1"]]

    let lines = table(["Name", "N"], right: [], widest: 5, rows)

    #expect(lines == ["  Name   N", "  éééé…  1"])
  }

  @Test(arguments: [
    (DatePrecision.year, "2022", "2022"), (.half, "2022 half 2", "2022 half 2"),
    (.quarter, "2022 quarter 4", "2022 quarter 4"), (.month, "2022-10", "October 2022"),
    (.day, "2022-10-06", "6 October 2022"),
    (.hour, "2022-10-06 12:00", "6 October 2022, 12:00 UTC"),
  ])
  func datesAreWrittenAsFarAsTheyAreKnown(precision: DatePrecision, short: String, long: String) {
    #expect(precision.text(.today) == short)
    #expect(precision.text(.today, inWords: true) == long)
  }

  @Test(arguments: [
    (-5, "in the future, by this clock"), (0, "just now"), (60, "1 minute ago"),
    (3599, "59 minutes ago"), (3600, "1 hour ago"), (86_400 * 3, "3 days ago"),
  ])
  func agesAreToldInOneUnit(seconds: Int, text: String) {
    #expect(age(of: .today.addingTimeInterval(Double(-seconds)), at: .today) == text)
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}
