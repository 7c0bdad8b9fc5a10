import AsyncHTTPClient
import Hummingbird
import Testing

@testable import TrackerCore

@Suite struct FeedTests {
  func read(_ answer: LaunchFeed.Answer) async throws -> [Launch] {
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
      launches == [
        Launch(
          id: "5eb87cd9ffd86e000604b32a", flightNumber: 1, name: "FalconSat", details: "Lost",
          date: 1_143_239_400, success: false, upcoming: false,
          rocket: "5e9d0d95eda69955f709d1eb")
      ])
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
