import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import Pebbles
import People
import Testing

@testable import TrackerCore

/// Tests for `/people`, including the time before there are people.
@Suite struct PeopleDoorTests {
  let site = Site()

  /// Calls a closure with a client of the site, whose database is not used.
  func asking(
    _ test: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let database = try TrackerDatabase.inMemory()
    let answer = try makeSite(database, site, delay: .zero, logger: quiet)
    let application = Application(
      responder: CallbackResponder { try await answer($0, $1) }, logger: quiet)
    try await application.test(.router, test)
    try database.close()
  }

  @Test func thePageIsThereBeforeThePeople() async throws {
    try await asking { client in
      let early = try await client.execute(uri: "/people", method: .get)
      #expect(early.status == .serviceUnavailable && early.headers[.retryAfter] == "1")
    }
  }

  @Test func peopleAreThereOnceTheyAreMade() async throws {
    site.people.open(PeopleService(try People(generating: 10, seed: 1)))
    try await asking { client in
      let page = try await client.execute(uri: "/people", method: .get)
      #expect(page.status == .ok && String(buffer: page.body).contains("<!doctype html>"))
      let script = try await client.execute(uri: "/people/files/main.mjs", method: .get)
      #expect(script.status == .ok)
      let question = ByteBuffer(string: #"{"visitor": "0123456789abcdef", "revision": 1}"#)
      let answer = try await client.execute(uri: "/people/search", method: .post, body: question)
      #expect(answer.status == .ok, "\(String(buffer: answer.body))")
      #expect(String(buffer: answer.body).contains(#""total":10"#))
      let none = try await client.execute(uri: "/people/files/none", method: .get)
      #expect(none.status == .notFound)
    }
  }
}
