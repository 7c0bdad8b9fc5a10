import AsyncHTTPClient
import Foundation
import GRDB
import Hummingbird
import HummingbirdTesting
import NIOCore
import PebblesAnalysis
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for each row of the table *Break it* in the README, with the real program.
@Suite(.serialized) struct BreakItTests {
  let folder: Folder
  var database: String { folder.file("tracker.sqlite") }

  init() throws {
    folder = try Folder()
  }

  /// Starts the program on a free port, with the database of this test.
  func tracker(
    feed: String? = nil, _ more: [String] = [], _ environment: [String: String] = [:]
  ) throws -> RunningProgram {
    let feed = feed.map { ["--feed", $0] } ?? []
    return try RunningProgram(
      "tracker", ["--port", "0", "--database", database] + feed + more, environment: environment)
  }

  func get(_ address: String) async throws -> (status: UInt, text: String) {
    let response = try await HTTPClient.shared.execute(
      HTTPClientRequest(url: address), timeout: .seconds(60))
    return (response.status.code, String(buffer: try await response.body.collect(upTo: 1 << 20)))
  }

  /// Waits until visitors are admitted, and returns the address of the program.
  func bootedAddress(of program: RunningProgram) async throws -> String {
    #expect(try await program.wrote(" at http://"), "\(program.output)\(program.error)")
    return try #require(try await program.address())
  }

  @Test func nothingIsBroken() async throws {
    let program = try tracker()
    let address = try await bootedAddress(of: program)

    #expect(program.output.contains("online at \(address)/"))
    #expect(try await get(address + "/health/live").status == 200)
    #expect(try await get(address + "/health/ready").status == 200)
    let launches = try await get(address + "/launches?q=falconsat")
    #expect(launches.status == 200 && launches.text.contains("FalconSat"))
    #expect(try await get(address + "/boot").text.contains("storeLaunches"))

    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
    #expect(program.output.contains("torn down"))
    // What nobody asked for is said in a few lines, from the first to the last.
    let lines = (program.output + program.error).split(separator: "\n")
    #expect(lines.count <= 10, "\(lines)")
  }

  @Test(arguments: [false, true])
  func aDamagedDatabaseIsMovedAwayAndBegunAnew(isLinked: Bool) async throws {
    let garbage = Data(String(repeating: "not a database ", count: 300).utf8)
    let file = isLinked ? folder.file("elsewhere.sqlite") : database
    try garbage.write(to: URL(fileURLWithPath: file))
    if isLinked {
      try FileManager.default.createSymbolicLink(
        atPath: database, withDestinationPath: "elsewhere.sqlite")
    }

    let program = try tracker()
    let address = try await bootedAddress(of: program)

    #expect(program.error.contains("the database \(database) is damaged"))
    #expect(program.output.contains("online at"))
    #expect(try await get(address + "/health/ready").status == 200)
    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
    let kept = try #require(try folder.contents.first { $0.contains(".damaged-") })
    #expect(folder.file(kept).hasPrefix(file + ".damaged-"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file(kept))) == garbage)
    let kind = try FileManager.default.attributesOfItem(atPath: database)[.type]
    #expect(kind as? FileAttributeType == (isLinked ? .typeSymbolicLink : .typeRegular))
  }

  @Test func aPortThatIsTakenEndsTheProgram() async throws {
    let taken = Application(router: Router(), logger: quiet)
    try await taken.test(.live) { client in
      let port = try #require(client.port)
      let program = try RunningProgram("tracker", ["--port", "\(port)", "--database", database])

      #expect(try await program.ended() == 1)
      #expect(program.output.contains("127.0.0.1:\(port) is taken"), "\(program.output)")
    }
  }

  @Test(arguments: [
    ("nowhere.invalid", "has no address"), ("203.0.113.1", "is not an address of this machine"),
  ])
  func aHostThatCannotBeUsedEndsTheProgram(host: String, problem: String) async throws {
    let program = try RunningProgram(
      "tracker", ["--host", host, "--port", "0", "--database", database])

    #expect(try await program.ended() == 1)
    #expect(program.output.contains("the host \"\(host)\" \(problem); give another with --host"))
  }

  /// Runs the program once, to create a database with the bundled data.
  func bootOnce(database path: String? = nil) async throws {
    let program = try RunningProgram("tracker", ["--port", "0", "--database", path ?? database])
    _ = try await bootedAddress(of: program)
    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
  }

  @Test func aDatabaseThatCannotBeWrittenIsStale() async throws {
    try await bootOnce()
    try folder.obstruct("tracker.sqlite")

    try await expectStale(database)
  }

  @Test(.enabled(if: SmallDisk.isPossible, Comment(rawValue: SmallDisk.whyNot)))
  func onADiskThatIsFullItIsStale() async throws {
    let disk = try SmallDisk()
    try await bootOnce(database: disk.file("tracker.sqlite"))
    try disk.fill()

    try await expectStale(disk.file("tracker.sqlite"))
  }

  @Test(.enabled(if: SmallDisk.isPossible, Comment(rawValue: SmallDisk.whyNot)))
  func onADiskThatIsReadOnlyItIsStale() async throws {
    let disk = try SmallDisk()
    try await bootOnce(database: disk.file("tracker.sqlite"))
    try disk.becomeReadOnly()

    try await expectStale(disk.file("tracker.sqlite"))
  }

  func expectStale(_ path: String) async throws {
    let program = try RunningProgram("tracker", ["--port", "0", "--database", path])
    let address = try await bootedAddress(of: program)

    #expect(
      program.output.contains("stale: the database \(path) can be read but not written: "),
      "\(program.output)")
    #expect(try await get(address + "/health/ready").status == 200)
    #expect(try await get(address + "/launches?q=falconsat").text.contains("FalconSat"))
    #expect(try await get(address + "/home").text.contains(#""latest":[{"#))
    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
    #expect(program.output.contains("torn down"))
  }

  @Test func aFeedThatIsBadLeavesWhatWasThere() async throws {
    try await bootOnce()

    try await LaunchFeed(launches: .text(#"[{"oops": 1}]"#)).serve { feed in
      let program = try tracker(feed: feed)
      let address = try await bootedAddress(of: program)

      #expect(program.output.contains("stale: the feed \(feed)/v4/launches is not what"))
      #expect(try await get(address + "/health/ready").status == 200)
      #expect(try await get(address + "/launches?q=falconsat").text.contains("FalconSat"))
      program.send(SIGTERM)
      #expect(try await program.ended() == 0)
    }
  }

  /// Requests a retry, like the button on Home, without following the redirect.
  func retry(
    _ address: String, from site: String = "same-origin"
  ) async throws -> (status: UInt, location: String?) {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
      var request = HTTPClientRequest(url: address + "/boot/retry")
      request.method = .POST
      request.headers.add(name: "Sec-Fetch-Site", value: site)
      let response = try await client.execute(request, timeout: .seconds(60))
      return (response.status.code, response.headers.first(name: "location"))
    }
  }

  @Test func aRetryLoadsWhatIsMissingAndNothingElse() async throws {
    try await bootOnce()
    // In the boot it is asked twice.
    let launches = Feed([]) { $0 <= 2 ? .status(500) : .body(LaunchFeed.launches(1...20)) }
    let cores = Feed([]) { _ in .body(LaunchFeed.cores(1...5)) }

    try await FeedServer.using(["/v4/launches": launches, "/v4/cores": cores]) { server in
      let program = try tracker(feed: server.url)
      let address = try await bootedAddress(of: program)
      #expect(program.output.contains("stale: "), "\(program.output)")
      #expect(try await get(address + "/").text.contains(">Retry</button>"))

      #expect(try await retry(address, from: "cross-site").status == 403)
      #expect(try await retry(address) == (303, "/boot"))
      #expect(try await program.wrote("tried again: online"), "\(program.error)")

      #expect(
        server.requests.map(\.path).sorted() == [
          "/v4/cores", "/v4/launches", "/v4/launches", "/v4/launches",
        ])
      let front = try await get(address + "/")
      #expect(front.status == 200 && front.text.contains("Up to date"))
      #expect(!front.text.contains("Retry"))
      #expect(try await get(address + "/launches?q=launch+7").text.contains("Launch 7"))
      #expect(try await get(address + "/health/ready").status == 200)
      let record = try RecordedRun(json: try await get(address + "/boot.json").text)
      let called = record.pebbles.filter { $0.outcome.isSucceeded && $0.keptFrom == nil }
      #expect(
        called.map(\.name) == [
          "fetchLaunches", "storeLaunches", "searchIndex", "look", "online",
        ])
      // There is nothing left to try again.
      #expect(try await retry(address) == (303, "/"))
      program.send(SIGTERM)
      #expect(try await program.ended() == 0)
      #expect(program.output.contains("torn down"))
    }
  }

  @Test func aFeedThatIsBadAtFirstLeavesNothing() async throws {
    try await LaunchFeed(launches: .status(.internalServerError)).serve { feed in
      let program = try tracker(feed: feed)
      let address = try await bootedAddress(of: program)

      #expect(program.output.contains("answered 500 Internal Server Error; no launches are there"))
      #expect(try await get(address + "/health/live").status == 200)
      #expect(try await get(address + "/health/ready").status == 503)
      let launches = try await get(address + "/launches")
      #expect(launches.status == 503 && launches.text.contains("offline"))
      program.send(SIGTERM)
      #expect(try await program.ended() == 0)
    }
  }

  @Test func aDatabaseThatCannotBeOpenedIsNamed() async throws {
    let path = folder.file("none/tracker.sqlite")
    let program = try RunningProgram("tracker", ["--port", "0", "--database", path])
    let address = try await bootedAddress(of: program)

    #expect(program.output.contains("offline: the database \(path) cannot be opened: "))
    #expect(!program.output.contains("conditionFalse"))
    #expect(try await get(address + "/health/ready").status == 503)
    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
  }

  @Test func aFeedThatHasMovedIsNotFollowed() async throws {
    let elsewhere = "http://127.0.0.1:99999/"
    try await LaunchFeed(launches: .moved(to: elsewhere)).serve { feed in
      let program = try tracker(feed: feed)
      _ = try await bootedAddress(of: program)

      #expect(program.output.contains("answered 302 Found; it names \(elsewhere)"))
      program.send(SIGTERM)
      #expect(try await program.ended() == 0)
    }
  }

  @Test func aFeedThatIsSlowIsGivenUp() async throws {
    try await LaunchFeed(launches: .late(Gate(), "[]")).serve { feed in
      let program = try tracker(feed: feed, [], ["TRACKER_FEED_TIMEOUT_SECONDS": "1"])
      let address = try #require(try await program.address())
      // While it waits, it can be asked.
      #expect(try await get(address + "/health/ready").status == 503)
      #expect(try await get(address + "/boot.dot").text.hasPrefix("digraph"))

      _ = try await bootedAddress(of: program)
      #expect(program.output.contains("did not answer within 1.0 seconds"), "\(program.output)")
      program.send(SIGTERM)
      #expect(try await program.ended() == 0)
    }
  }

  @Test func sigtermDuringTheBootIsAnOrderlyEnd() async throws {
    try await LaunchFeed(launches: .late(Gate(), "[]")).serve { feed in
      let program = try tracker(feed: feed)
      let address = try #require(try await program.address())
      #expect(try await get(address + "/health/live").status == 200)

      program.send(SIGTERM)
      #expect(try await program.ended() == 0)
      #expect(program.output.contains("the process got SIGTERM"))
    }
  }

  @Test func sigtermWhileThePeopleAreMadeWaitsForNobody() async throws {
    let program = try tracker(feed: nil, [], ["TRACKER_PEOPLE_COUNT": "2000000"])
    let address = try await bootedAddress(of: program)
    #expect(try await get(address + "/health/ready").status == 200)
    let people = try await get(address + "/people")
    #expect([200, 503].contains(people.status) && people.text.contains("<!doctype html>"))

    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
    #expect(program.output.contains("torn down"), "\(program.output)")
  }

  @Test func sigtermWaitsForARequestThatIsSlow() async throws {
    let program = try tracker([], ["TRACKER_ANSWER_DELAY_MS": "1000"])
    let address = try await bootedAddress(of: program)

    async let slow = get(address + "/launches?q=falconsat")
    #expect(try await program.wrote("hb.request.path=/launches"), "\(program.error)")
    program.send(SIGTERM)

    #expect(try await program.ended() == 0)
    let answer = try await slow
    #expect(answer.status == 200 && answer.text.contains("FalconSat"))
  }

  @Test func sigtermDoesNotWaitForever() async throws {
    let program = try tracker(
      [], ["TRACKER_ANSWER_DELAY_MS": "3600000", "TRACKER_DRAIN_SECONDS": "1"])
    let address = try await bootedAddress(of: program)

    async let slow = get(address + "/launches")
    #expect(try await program.wrote("hb.request.path=/launches"), "\(program.error)")
    program.send(SIGTERM)

    #expect(try await program.ended() == 0)
    _ = try? await slow
  }

  func tracker(_ more: [String], _ environment: [String: String]) throws -> RunningProgram {
    try tracker(feed: nil, more + ["--verbose"], environment)
  }

  @Test func killedInTheMiddleOfALoadNothingIsHalfWritten() async throws {
    try await bootOnce()
    let before = try count()

    // So much that the transaction is long under way before it is over.
    let much = LaunchFeed.launches(1...150_000)
    try await LaunchFeed(launches: .text(much)).serve { feed in
      let program = try tracker(feed: feed, [], ["TRACKER_FEED_TIMEOUT_SECONDS": "600"])
      #expect(try await program.wrote("; how it boots"))
      // What is written before the end of a transaction goes to the log of the database.
      while size(of: database + "-wal") < 1 << 20, !program.output.contains(" at http://") {
        await Task.yield()
      }
      #expect(program.output.isEmpty, "the load was over")
      program.send(SIGKILL)
      #expect(try await program.ended() == nil)
    }

    let opened = try TrackerDatabase.open(at: database)
    #expect(try opened.launchCount() == before)
    try opened.close()
  }

  func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
  }

  func count() throws -> Int {
    let opened = try TrackerDatabase.open(at: database)
    defer { try? opened.close() }
    return try opened.launchCount()
  }

  @Test func aProgramWhoseOutputNobodyReadsGoesOn() async throws {
    let program = try RunningProgram(
      "tracker", ["--port", "0", "--database", database], isHeard: false)
    #expect(try await program.wrote("the run ended"))
    let address = try #require(try await program.address())
    #expect(try await get(address + "/health/ready").status == 200)

    program.send(SIGTERM)
    #expect(try await program.ended() == 0)
  }

  @Test(arguments: [
    ("--port", "99999", "a whole number from 0 to 65535"),
    ("--feed", "localhost", "an address such as http://localhost:9000"),
    ("--database", "", "something, such as tracker.sqlite"),
    ("--host", "", "something, such as 127.0.0.1"),
  ])
  func anOptionThatCannotBeMeantIsNamed(option: String, value: String, need: String) async throws {
    let program = try RunningProgram("tracker", [option, value])

    #expect(try await program.ended() == 1)
    #expect(program.error == "Error: \(option) is \"\(value)\"; it has to be \(need)\n")
    #expect(program.output.isEmpty)
  }

  @Test func aVariableThatCannotBeMeantIsNamed() async throws {
    let program = try RunningProgram("tracker", [], environment: ["TRACKER_HTTP_PORT": "http"])

    #expect(try await program.ended() == 1)
    let need = "it has to be a whole number from 0 to 65535"
    #expect(program.error == "Error: TRACKER_HTTP_PORT is \"http\"; \(need)\n")
  }
}
