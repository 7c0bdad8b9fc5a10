import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Pebbles
import SitePages
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for the entrance of the tracker, independent of the route that answers behind it.
@Suite struct DoorTests {
  struct Refused: Error, CustomStringConvertible {
    var description: String { "Refused\nit was" }
  }

  let site = Site()

  /// Calls a closure with a client of an entrance, which leads to a run that is over and to a site
  /// with simple routes.
  func asking(
    logger: Logger = quiet, isOpen: Bool = true,
    _ test: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let run = try Pond("tracker").start()
    _ = try await run.report
    let door = try FrontDoor(run, Retries(site, quiet), site, SiteLayout())
    let router = Router(context: TrackerContext.self)
    router.get("/fails") { _, _ -> String in throw Refused() }
    router.get("/broken") { _, _ -> String in
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "malformed", sql: "SELECT *\nFROM secret")
    }
    router.get("/bare") { _, _ -> String in throw HTTPError(.conflict) }
    router.get("/told") { _, _ -> String in throw HTTPError(.badRequest, message: "no \"such\"") }
    router.get("/text") { _, _ in String(repeating: "falcon ", count: 1_000) }
    router.get("/items/:id") { _, _ -> String in throw HTTPError(.notFound) }
    let routes = RouteResponder(router)
    site.open { try await routes.respond(to: $0, context: $1) }
    if isOpen { site.show(.online) }
    try await Application(responder: door, logger: logger).test(.router, test)
  }

  @Test(arguments: [
    ("/nowhere", HTTPRequest.Method.get, 404, "nothing is at /nowhere"),
    ("/items/7", .get, 404, "nothing is at /items/7"),
    ("/text", .delete, 405, "/text takes GET and HEAD, not DELETE"),
    ("/items/7", .put, 405, "/items/7 takes GET and HEAD, not PUT"),
    ("/boot/retry", .get, 405, "/boot/retry takes POST, not GET"),
    ("/bare", .get, 409, "conflict"), ("/told", .get, 400, "no \\\"such\\\""),
  ])
  func whatIsRefusedHasOneShape(
    path: String, method: HTTPRequest.Method, status: Int, message: String
  ) async throws {
    try await asking { client in
      let answer = try await client.execute(uri: path, method: method)

      #expect(answer.status.code == status)
      let shape = #"{"error":{"message":"\#(message)","status":\#(status)}}"#
      #expect(String(buffer: answer.body) == shape)
      #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
      let allowed = path == "/boot/retry" ? "POST" : "GET, HEAD"
      #expect(answer.headers[.allow] == (status == 405 ? allowed : nil))
    }
  }

  @Test func aPageIsRefusedWithAPage() async throws {
    try await asking { client in
      let answer = try await client.execute(
        uri: "/%3Cscript%3E", method: .get, headers: [.accept: "text/html,*/*;q=0.8"])

      #expect(answer.status == .notFound)
      #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
      #expect(answer.headers[.vary]?.contains("Accept") == true)
      #expect(String(buffer: answer.body).contains("Nothing is at /"))
      #expect(!String(buffer: answer.body).contains("<script>"))
    }
  }

  @Test func whatFailsIsLoggedAndNotTold() async throws {
    let records = LogRecords()
    try await asking(logger: records.logger) { client in
      let answer = try await client.execute(uri: "/fails?q=secret", method: .get)

      #expect(answer.status == .internalServerError)
      let text = String(buffer: answer.body)
      #expect(!text.contains("Refused"))
      let record = try #require(records.all.first { $0.level == .error })
      #expect(record.message.hasPrefix(#"GET "/fails" could not be answered: Refused it was"#))
      let request = try #require(record.metadata["hb.request.id"])
      #expect(text.contains("under request \(request)"), "\(text)")
    }
  }

  @Test func whatADatabaseSaysIsLoggedWithoutItsStatement() async throws {
    let records = LogRecords()
    try await asking(logger: records.logger) { client in
      _ = try await client.execute(uri: "/broken", method: .get)

      let record = try #require(records.all.first { $0.level == .error })
      let message = #"GET "/broken" could not be answered: the database says: malformed"#
      #expect(record.message == message)
    }
  }

  /// Checks which requests may ask for a retry. An allowed request is redirected to Home, because
  /// there is nothing to retry.
  @Test(arguments: [
    ([:], true), (["Origin": "http://localhost"], true), (["Origin": "https://localhost"], true),
    (["Origin": "http://elsewhere"], false), (["Origin": "null"], false),
    (["Origin": "http://elsewhere", "Sec-Fetch-Site": "same-origin"], true),
    (["Origin": "http://not-localhost"], false), (["Sec-Fetch-Site": "cross-site"], false),
  ])
  func onlyThisSiteAsksForARetry(fields: [String: String], isAllowed: Bool) async throws {
    try await asking { client in
      var headers = HTTPFields()
      for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
      let answer = try await client.execute(uri: "/boot/retry", method: .post, headers: headers)
      #expect(answer.status == (isAllowed ? .seeOther : .forbidden))
    }
  }

  /// Checks that, during a boot, browsers are redirected to the Boot page, and other clients
  /// receive an error.
  @Test(arguments: [HTTPRequest.Method.get, .head])
  func whoComesWhileItBootsIsLedToTheBoot(method: HTTPRequest.Method) async throws {
    try await asking(isOpen: false) { client in
      let browser = try await client.execute(
        uri: "/", method: method, headers: [.accept: "text/html"])
      #expect(browser.status == .temporaryRedirect && browser.headers[.location] == "/boot")
      let other = try await client.execute(uri: "/", method: method)
      #expect(other.status == .serviceUnavailable && other.headers[.retryAfter] == "1")
      #expect((other.body.readableBytes > 0) == (method == .get))
    }
  }

  @Test func whatIsThereIsSentOnceAndThenOnlyWhetherItIsNew() async throws {
    try await asking { client in
      let whole = try await client.execute(uri: "/text", method: .get)
      let tag = try #require(whole.headers[.eTag])
      #expect(whole.status == .ok && whole.body.readableBytes == 7_000)
      for known in [tag, "W/\(tag)", "*", "\"a\", W/\"b\", \(tag)"] {
        for method in [HTTPRequest.Method.get, .head] {
          let answer = try await client.execute(
            uri: "/text", method: method, headers: [.ifNoneMatch: known])
          #expect(answer.status == .notModified && answer.body.readableBytes == 0, "\(known)")
          #expect(answer.headers[.eTag] == tag && answer.headers[.vary] == "Accept-Encoding")
        }
      }
      for other in ["\"a\"", "W/\"b\", \"c\"", "", tag + "x"] {
        let answer = try await client.execute(
          uri: "/text", method: .get, headers: [.ifNoneMatch: other])
        #expect(answer.status == .ok, "\(other)")
      }
    }
  }

  @Test func whatIsCompressedIsAnotherThing() async throws {
    try await asking { client in
      let plain = try await client.execute(uri: "/text", method: .get)
      let small = try await client.execute(
        uri: "/text", method: .get, headers: [.acceptEncoding: "br, gzip;q=0.5"])

      #expect(small.headers[.contentEncoding] == "gzip")
      #expect(small.headers[.contentLength] == "\(small.body.readableBytes)")
      #expect(small.body.readableBytes < 200)
      #expect(Array(small.body.readableBytesView.prefix(2)) == [0x1F, 0x8B])
      #expect(small.headers[.eTag] != plain.headers[.eTag])
      let head = try await client.execute(
        uri: "/text", method: .head, headers: [.acceptEncoding: "gzip"])
      #expect(head.body.readableBytes == 0)
      for name in [HTTPField.Name.contentLength, .eTag, .contentEncoding, .vary] {
        #expect(head.headers[name] == small.headers[name])
      }
      // Not what is small, nor what is refused by those who ask.
      let short = try await client.execute(
        uri: "/status", method: .get, headers: [.acceptEncoding: "gzip"])
      #expect(short.headers[.contentEncoding] == nil && short.headers[.eTag] == nil)
      for refused in ["gzip;q=0", "identity", "*;q=0", "gzip;q=0, *", ""] {
        let answer = try await client.execute(
          uri: "/text", method: .get, headers: [.acceptEncoding: refused])
        #expect(answer.headers[.contentEncoding] == nil, "\(refused)")
        #expect(answer.headers[.vary] == "Accept-Encoding")
      }
    }
  }

  @Test func theStatusSaysTheRootCause() async throws {
    let date = try #require(try? Date("2026-11-26T08:12:00Z", strategy: .iso8601))
    try await asking { [site] client in
      site.show(
        .stale(
          Loss(
            cause: "the feed at 127.0.0.1:9 refused the connection",
            pebbles: ["fetchLaunches", "storeLaunches", "stale"], left: .launches(of: date))))
      let text = String(buffer: try await client.execute(uri: "/status", method: .get).body)

      for part in [
        #"{"boot":"/boot#pebble=fetchLaunches","#,
        #""cause":"the feed at 127.0.0.1:9 refused the connection""#,
        #""launchesOf":"2026-11-26T08:12:00Z""#,
        #""pebbles":["fetchLaunches","storeLaunches","stale"],"screen":"stale""#,
      ] { #expect(text.contains(part), "\(text)") }
      let ready = try await client.execute(uri: "/health/ready", method: .get)
      #expect(ready.status == .ok)
      #expect(String(buffer: ready.body).contains(#""says":"stale: the feed at 127.0.0.1:9 ref"#))
    }
  }
}
