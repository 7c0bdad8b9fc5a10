import Foundation
import Pebbles
import Testing

@testable import TrackerCore

/// The rows of the table that describe events and requests after the boot.
extension BreakItTests {
  @Test func aFeedThatRefusesIsTheRootCauseEverywhere() async throws {
    try await bootOnce()
    let program = try tracker(feed: "http://127.0.0.1:9")
    let address = try await bootedAddress(of: program)

    let cause = "the feed at 127.0.0.1:9 refused the connection; these launches are of "
    #expect(program.output.hasPrefix("stale: " + cause), "\(program.output)")
    for path in ["/health/ready", "/status"] {
      let answer = try await get(address + path)
      #expect(answer.status == 200 && answer.text.contains(cause.dropFirst()), "\(answer.text)")
    }
    #expect(try await get(address + "/").text.contains("/boot#pebble=fetchLaunches"))
    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
  }

  @Test func aDatabaseThatIsOverwrittenIsMissedAndReadAgain() async throws {
    try await bootOnce()
    let file = URL(fileURLWithPath: database)
    let whole = try Data(contentsOf: file)
    let program = try tracker([], ["TRACKER_REFRESH_SECONDS": "1"])
    let address = try await bootedAddress(of: program)

    try Data(repeating: 7, count: whole.count).write(to: file)
    #expect(try await program.wrote("offline: the database \(database) is damaged: "))
    let ready = try await get(address + "/health/ready")
    #expect(ready.status == 503 && ready.text.contains("is damaged"), "\(ready.text)")
    let launches = try await get(address + "/launches")
    #expect(launches.status == 503 && launches.text.contains("is damaged"))

    try whole.write(to: file)
    #expect(try await program.wrote("[TrackerCore] online"))
    #expect(try await get(address + "/health/ready").status == 200)
    #expect(try await get(address + "/launches").status == 200)
    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
  }

  @Test func aDatabaseThatIsGoneIsMissed() async throws {
    let program = try tracker([], ["TRACKER_REFRESH_SECONDS": "1"])
    let address = try await bootedAddress(of: program)

    try FileManager.default.removeItem(atPath: database)
    #expect(try await program.wrote("offline: the database \(database) is gone; start again"))
    #expect(try await get(address + "/health/ready").status == 503)
    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
  }

  @Test func itSaysItsVersionAndHowMuchAFeedMayHave() async throws {
    let version = try RunningProgram("tracker", ["--version"])
    #expect(try await version.ended() == 0)
    #expect(version.output == "\(Pond.packageVersion)\n")

    let help = try RunningProgram("tracker", ["--help"])
    #expect(try await help.ended() == 0)
    #expect(help.output.contains("64 MB"), "\(help.output)")
  }
}
