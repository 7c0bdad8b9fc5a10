import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import TrackerCore

@Suite struct DeliveryTests {
  @Test(arguments: [
    (["*"], true), (["TAG"], true), (["W/TAG"], true), (["\"x\", TAG"], true),
    (["\"x\"", "TAG"], true), (["\"x,*,y\""], false), (["\"a,TAG"], false), (["\""], false),
    (["\"x\", *"], false), ([], false),
  ])
  func aTagIsFoundInAList(values: [String], isThere: Bool) {
    let tag = EntityTag(ByteBuffer(string: "what is sent"))

    let asked = values.map { $0.replacing("TAG", with: tag.text) }

    #expect(tag.isAmong(asked) == isThere)
  }

  @Test func whatHasNoEndHasNoHead() async throws {
    let events = Response(status: .ok, body: ResponseBody { try await $0.finish(nil) })

    let head = try await Delivery().delivered(events, for: request(.head))

    #expect(head.status == .methodNotAllowed)
    #expect(head.headers[.allow] == "GET")
    #expect(head.headers[.contentLength] == "0")
  }

  @Test(arguments: [
    ("text/html,*/*;q=0.8", true), ("*/*", false), ("application/json", false),
    ("application/json, text/html;q=0.1", false), ("text/html;q=0", false),
  ])
  func aPageIsForThoseWhoWouldRatherHaveOne(accept: String, isPage: Bool) {
    #expect(request(.get, [.accept: accept]).wantsPage == isPage)
  }

  private func request(
    _ method: HTTPRequest.Method, _ headers: HTTPFields = [:]
  ) -> Request {
    Request(
      head: HTTPRequest(
        method: method, scheme: "http", authority: "tracker", path: "/", headerFields: headers),
      body: RequestBody(buffer: ByteBuffer()))
  }
}
