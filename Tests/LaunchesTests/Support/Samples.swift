import Foundation

@testable import launches

extension Date {
  /// The current time in the tests: 2022-10-06 12:00 UTC.
  static let today = Date(timeIntervalSince1970: 1_665_057_600)
}

/// Returns a launch on 1 April of the given year, at noon.
func sampleLaunch(
  _ id: String, name: String = "Sample", year: Int = 2020, isUpcoming: Bool = false,
  succeeded: Bool? = true, cores: [CoreFlight] = []
) -> Launch {
  let date = DateComponents(
    calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: year, month: 4, day: 1,
    hour: 12
  ).date
  return Launch(
    id: id, flightNumber: 7, name: name, date: date ?? .today, datePrecision: .hour,
    isUpcoming: isUpcoming, succeeded: isUpcoming ? nil : succeeded,
    crewSize: 0, cores: cores)
}

func sampleCore(_ id: String, serial: String? = nil, launches: [String] = []) -> Core {
  Core(id: id, serial: serial, landingAttempts: 0, landings: 0, launchIDs: launches)
}

/// The texts of feeds with two launches and one core, in the format of the API.
enum SampleFeeds {
  static let launches = """
    [
      {"id": "a", "flight_number": 1, "name": "First", "date_utc": "2006-03-24T22:30:00.000Z",
       "date_precision": "hour", "upcoming": false, "success": false,
       "cores": [{"core": "c", "flight": 1}]},
      {"id": "b", "flight_number": 2, "name": "Second", "date_utc": "2030-01-01T00:00:00.000Z",
       "date_precision": "month", "upcoming": true, "success": null,
       "cores": [{"core": null, "flight": null}]}
    ]
    """
  static let cores = """
    [{"id": "c", "serial": "B0001", "launches": ["a"], "rtls_attempts": 1, "rtls_landings": 1,
      "asds_attempts": 2, "asds_landings": 1}]
    """
}
