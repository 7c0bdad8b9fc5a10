import Foundation
import Testing

@testable import launches

/// Tests of the launches and cores that are included in the program. They are real, and contain
/// every flight of every core up to October 2022, so the counts shown on the screens are facts.
@Suite struct FixtureTests {
  let launches: [Launch]
  let cores: [Core]

  init() throws {
    launches = try Feed<ServedLaunch>(name: "launches", path: Launches.fixture("launches")).read()
    cores = try Feed<ServedCore>(name: "cores", path: Launches.fixture("cores")).read()
  }

  @Test func theStoryBeginsWithFalconSat() throws {
    let first = try #require(launches.min { $0.date < $1.date })

    #expect(first.name == "FalconSat")
    #expect(first.flightNumber == 1)
    #expect(first.datePrecision.text(first.date) == "2006-03-24 22:30")
    #expect(first.succeeded == false)
  }

  @Test func thereIsSomethingOfEverything() {
    #expect(launches.count >= 40)
    #expect(cores.count >= 25)
    #expect(launches.contains { $0.isUpcoming })
    #expect(launches.contains { !$0.isUpcoming && $0.crewSize > 0 })
    #expect(launches.contains { $0.name == "Falcon Heavy Test Flight" && $0.cores.count == 3 })
    #expect(launches.contains { $0.name == "CRS-7" && $0.succeeded == false })
    #expect(cores.contains { $0.serial == "B1048" && $0.launchIDs.count == 5 && $0.landings == 4 })
  }

  @Test func everyCoreHasExactlyTheFlightsItsLaunchesName() {
    var flights: [Core.ID: [Launch.ID]] = [:]
    for launch in launches.sorted(by: { $0.date < $1.date }) {
      for core in launch.cores {
        guard let id = core.coreID else { continue }
        flights[id, default: []].append(launch.id)
        #expect(core.flight == flights[id]?.count, "\(launch.name)")
      }
    }

    #expect(flights == Dictionary(uniqueKeysWithValues: cores.map { ($0.id, $0.launchIDs) }))
  }

  @Test func landingsAreNoMoreThanAttemptsAndAttemptsNoMoreThanFlights() {
    for core in cores {
      #expect(core.landings <= core.landingAttempts)
      #expect(core.landingAttempts <= core.launchIDs.count)
    }
  }

  @Test func everyCoreHasItsOwnSerial() {
    #expect(Set(cores.compactMap(\.serial)).count == cores.count)
  }
}
