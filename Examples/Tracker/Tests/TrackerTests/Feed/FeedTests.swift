import AsyncHTTPClient
import Hummingbird
import Testing
import TrackerTestSupport

@testable import TrackerCore

@Suite struct FeedTests {
  func read(_ answer: LaunchFeed.Answer) async throws -> [FedLaunch] {
    try await LaunchFeed(launches: answer).serve { address in
      try await FeedClient(.shared, base: address + "/").launches()
    }
  }

  @Test func launchesAreReadAsTheyAreServed() async throws {
    let launches = try await read(
      .text(
        """
        [{"id": "5eb87cd9ffd86e000604b32a", "flight_number": 1, "name": "FalconSat", \
        "date_unix": 1143239400, "success": false, "upcoming": false, "details": "Lost", \
        "rocket": "5e9d0d95eda69955f709d1eb", "links": {"webcast": null}, "more": [1, 2]}]
        """))

    #expect(
      launches.map(\.launch) == [
        Launch(
          id: "5eb87cd9ffd86e000604b32a", flightNumber: 1, name: "FalconSat", details: "Lost",
          date: 1_143_239_400, success: false, upcoming: false,
          rocket: "5e9d0d95eda69955f709d1eb")
      ])
  }

  @Test(arguments: ["?key=a/b&of=us", "/?key=a/b&of=us", "/?key=a/b&of=us#top"])
  func theQueryOfTheAddressIsThatOfEveryRequest(end: String) async throws {
    let launches = Feed([]) { _ in .body(LaunchFeed.launches(1...2)) }
    let cores = Feed([]) { _ in .body(LaunchFeed.cores(1...2)) }
    let feeds = ["/x/v4/launches": launches, "/x/v4/cores": cores]

    let requests = try await FeedServer.using(feeds) { server in
      let client = FeedClient(.shared, base: "\(server.url)/x\(end)")
      _ = try await client.launches()
      _ = try await client.cores()
      return server.requests
    }

    let query = ["key": "a/b", "of": "us"]
    #expect(
      requests == [
        FeedRequest(path: "/x/v4/launches", query: query),
        FeedRequest(path: "/x/v4/cores", query: query),
      ])
  }

  @Test func whatBelongsToALaunchIsRead() async throws {
    let fed = try await read(
      .text(
        """
        [{"id": "a", "name": "A", "date_unix": 1, "upcoming": false, "date_precision": "day", \
        "failures": [{"time": -165180, "altitude": null, "reason": "buckled liner"}], \
        "links": {"webcast": "https://example.com/a", "patch": {"small": "http://example.com/p"}}, \
        "cores": [{"core": "c1", "flight": 2, "reused": true, "landing_attempt": true, \
        "landing_success": false, "landing_type": "ASDS"}, {"core": null}]}]
        """))

    let launch = try #require(fed.first?.launch)
    #expect(launch.datePrecision == "day")
    #expect(launch.failures == [LaunchFailure(time: -165_180, reason: "buckled liner")])
    let links = LaunchLinks(webcast: "https://example.com/a", patch: "http://example.com/p")
    #expect(launch.links == links)
    #expect(
      fed.first?.cores == [
        LaunchCore(
          launch: "a", position: 0, core: "c1", flight: 2, reused: true, landingAttempt: true,
          landingSuccess: false, landingType: "ASDS"),
        LaunchCore(launch: "a", position: 1),
      ])
  }

  /// Checks feeds that are hostile, or whose format has changed.
  @Test(arguments: [
    #""failures": "none", "links": [], "cores": {}, "date_precision": 5"#,
    #""failures": [1, null, "x", []], "links": null, "cores": [1, null, "x"]"#,
    #""links": {"webcast": "javascript:alert(1)", "article": 7, "patch": "x", "wikipedia": "//a"}"#,
    #""links": {"webcast": "https:", "article": "data:text/html,x", "wikipedia": " http://a b"}"#,
  ])
  func whatBelongsToALaunchAndIsSomethingElseIsLeftOut(more: String) async throws {
    let fed = try await read(
      .text(#"[{"id": "a", "name": "A", "date_unix": 1, "upcoming": false, \#(more)}]"#))

    let plain = Launch(
      id: "a", flightNumber: 0, name: "A", details: nil, date: 1, success: nil, upcoming: false,
      rocket: nil)
    #expect(fed == [FedLaunch(launch: plain)])
  }

  @Test func aListWithoutEndIsReadToItsLimit() async throws {
    let failures = Array(repeating: #"{"reason": "again"}"#, count: 500).joined(separator: ",")
    let fed = try await read(
      .text(
        #"[{"id": "a", "name": "A", "date_unix": 1, "upcoming": false, "failures": "#
          + "[\(failures)]}]"
      ))

    #expect(fed.first?.launch.failures.count == 20)
  }

  @Test(arguments: [
    ("", "is not what was expected"), ("[]", "is empty"), ("{}", "is not what was expected"),
    (#"[{"id": 1}]"#, "at [0].id"), (#"[{"id": "1", "name": "#, "is not what was expected"),
    ("\u{0}\u{FFFD}", "is not what was expected"),
  ])
  func whatIsNoFeedSaysSo(text: String, problem: String) async throws {
    let error = await #expect(throws: FeedError.self) { try await read(.text(text)) }
    #expect(error?.description.contains(problem) == true, "\(error as Any)")
  }

  @Test(arguments: [
    ("", "it is not JSON, and has 0 bytes"),
    ("<html>\n<b>\u{202E}\"", #"it is not JSON, and begins with "<html> <b> \"""#),
    (String(repeating: "x", count: 500), "begins with \"\(String(repeating: "x", count: 60))\""),
  ])
  func whatIsNoJSONIsQuoted(text: String, end: String) async throws {
    let error = await #expect(throws: FeedError.self) { try await read(.text(text)) }
    #expect(error?.description.hasSuffix(end) == true, "\(error as Any)")
  }

  @Test func anAnswerThatIsTooLongIsRefused() async throws {
    let text = String(repeating: " ", count: (64 << 20) + 1)
    let error = await #expect(throws: FeedError.self) { try await read(.text(text)) }
    #expect(error?.description.hasSuffix("/v4/launches has more than 64 MB") == true)
  }

  @Test func anAnswerThatIsAnErrorIsNamed() async throws {
    let error = await #expect(throws: FeedError.self) { try await read(.status(.badGateway)) }
    #expect(error?.description.contains("answered 502") == true)
  }
}
