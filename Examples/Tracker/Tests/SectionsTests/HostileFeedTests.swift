import Foundation
import Pebbles
import Testing
import TrackerTestSupport

@testable import Sections

/// Tests for broken or hostile servers. The loader must explain the problem in a sentence and keep
/// all items that it loaded before.
@Suite struct HostileFeedTests {
  private static let items = Feed.items(0..<25)

  @Test func pagesWithoutEndEndAtTheLimit() async throws {
    let loaded = try await LoadedFeed(
      Feed(Feed.items(0..<1_000), at: "items", paging: .page(size: 10)),
      paging: .page(size: 10, ahead: 4), limits: SectionLimits(pages: 7))

    #expect(loaded.content.items.count == 70)
    #expect(!loaded.content.isComplete)
    #expect(loaded.problem == "page 7 of the section list: after 7 pages there is still no end")
    #expect(loaded.requests.count == 7)
  }

  @Test func oneTokenForEverIsNoticed() async throws {
    let feed = Feed(Self.items, at: "items", paging: .token(key: "after", size: 5)) { _ in
      .sameToken("5")
    }

    let loaded = try await LoadedFeed(feed, paging: .token(key: "after"))

    #expect(loaded.content.items.count == 10)
    #expect(
      loaded.problem
        == "page 2 of the section list: the token for the next page, 5, was used before")
  }

  @Test func oneCursorForEverIsNoticed() async throws {
    let feed = Feed(
      Self.items, at: "items", paging: .headerCursor(name: "X-Next", size: 5)
    ) { _ in .sameToken("5\u{7}") }

    let loaded = try await LoadedFeed(feed, paging: .headerCursor("X-Next", size: 5))

    #expect(loaded.content.error != nil)
    #expect(loaded.requests.count <= 3)
  }

  @Test func onePageForEverIsNoticed() async throws {
    let feed = Feed(Self.items, at: "items", paging: .page(size: 10)) { _ in .repeated }

    let loaded = try await LoadedFeed(feed, paging: .page(size: 10))

    #expect(loaded.content.items == Array(Self.items.prefix(10)))
    #expect(loaded.content.duplicateCount == 30)
    #expect(
      loaded.problem == "page 4 of the section list: 3 pages, one after the other, had nothing new")
  }

  @Test func aTokenWithoutEndIsNotSent() async throws {
    let long = String(repeating: "x", count: 4_097)
    let feed = Feed(Self.items, at: "items", paging: .token(key: "after", size: 5)) { _ in
      .sameToken(long)
    }

    let loaded = try await LoadedFeed(feed, paging: .token(key: "after"))

    #expect(loaded.content.items.count == 5)
    #expect(loaded.problem?.hasSuffix("the next page is longer than 4096 bytes") == true)
    #expect(loaded.requests.count == 1)
  }

  @Test func aPageThatIsTooLargeIsNotReadToItsEnd() async throws {
    let feed = Feed(Feed.items(0..<10_000), at: "items")

    let loaded = try await LoadedFeed(feed, limits: SectionLimits(bytesPerPage: 1_000))

    #expect(
      loaded.problem
        == "page 1 of the section list: it has more than the 1000 bytes a page may have")
  }

  @Test func tooManyItemsAreNotKept() async throws {
    let feed = Feed(Self.items, at: "items", paging: .page(size: 10))

    let loaded = try await LoadedFeed(
      feed, paging: .page(size: 10), limits: SectionLimits(items: 15))

    #expect(loaded.content.items.count == 10)
    #expect(
      loaded.problem == "page 2 of the section list: with it there are more than 15 items")
  }

  @Test func tooManyItemsAreNotKeptEvenIfTheirPageWasRequestedAhead() async throws {
    let feed = Feed(Self.items, at: "items", paging: .page(size: 10))

    let loaded = try await LoadedFeed(
      feed, paging: .page(size: 10, ahead: 2), limits: SectionLimits(items: 22))

    #expect(loaded.content.items.count == 20)
    #expect(loaded.content.pageCount == 2)
    #expect(
      loaded.problem == "page 3 of the section list: with it there are more than 22 items")
  }

  @Test(arguments: [
    ("nowhere", "there is no nowhere, only items"),
    ("nowhere.deep", "there is no nowhere, only items"),
    ("items.deep", "items is not an object"),
    ("items.0", "items is not an object"),
    ("", "the document is not a list"),
  ])
  func aKeyPathThatLeadsNowhereIsNamed(path: String, sentence: String) async throws {
    let loaded = try await LoadedFeed(Feed(Self.items, at: "items"), JSONKeyPath(path))

    #expect(loaded.content.items.isEmpty)
    #expect(loaded.problem == "page 1 of the section list: \(sentence)")
  }

  @Test(arguments: [
    (#"{"items":{"a":1}}"#, "items is not a list"),
    (#"{"items":null}"#, "items is not a list"),
    (#"{"items":"none"}"#, "items is not a list"),
    (#"{}"#, "there is no items, in fact nothing at all"),
    (#"[]"#, "the document is not an object"),
    (
      #"{"items":[{"id":1,"name":"a"},{"id":2}]}"#, "its item 1 cannot be read: items.1 has no name"
    ),
  ])
  func anotherKindOfDocumentIsNamed(body: String, sentence: String) async throws {
    let loaded = try await LoadedFeed(Feed([], at: "items") { _ in .body(body) })

    #expect(loaded.problem == "page 1 of the section list: \(sentence)")
  }

  @Test(arguments: ["", "<html>", "{\"items\":[", "\u{0}", String(repeating: "[", count: 1_000)])
  func whatIsNoJSONIsAnError(body: String) async throws {
    let loaded = try await LoadedFeed(Feed([], at: "items") { _ in .body(body) })

    let isNamed =
      loaded.problem?.hasPrefix("page 1 of the section list: it is not valid JSON") == true
      || loaded.problem == "page 1 of the section list: the document is not an object"
    #expect(isNamed, "\(loaded.problem ?? "no problem")")
  }

  @Test(arguments: [Feed.Fault.cutDocument, .cutConnection, .status(500), .status(204)])
  func whatCameBeforeABrokenPageIsKept(fault: Feed.Fault) async throws {
    let feed = Feed(Self.items, at: "items", paging: .page(size: 10)) { count in
      count == 2 ? fault : nil
    }

    let loaded = try await LoadedFeed(feed, paging: .page(size: 10))

    #expect(loaded.content.items == Array(Self.items.prefix(10)))
    #expect(!loaded.content.isComplete)
    #expect(loaded.problem?.hasPrefix("page 2 of the section list: ") == true)
  }

  @Test func aServerThatIsBusySaysForHowLong() async throws {
    let feed = Feed(Self.items, at: "items") { _ in .status(429, retryAfter: "30") }

    let loaded = try await LoadedFeed(feed)

    #expect(
      loaded.problem == """
        page 1 of the section list: the server answered 429 Too Many Requests; it asks to wait: 30
        """)
    let error = (loaded.content.error as? SectionError)
    #expect(error?.status == 429)
    #expect(error?.isTransient == true)
  }

  @Test func onlyWhatMayGoBetterIsTriedAgain() async throws {
    let busy = Feed(Self.items, at: "items") { count in count <= 2 ? .status(503) : nil }
    let again = RetryPolicy.attempts(3, only: SectionError.isTransient)

    let loaded = try await LoadedFeed(busy) { _ in [.retry(again)] }
    #expect(loaded.content.items == Self.items)
    #expect(loaded.requests.count == 3)

    let wrong = try await LoadedFeed(Feed([], at: "items") { _ in .status(403) }) { _ in
      [.retry(again)]
    }
    #expect(wrong.requests.count == 1)
    #expect(wrong.problem == "page 1 of the section list: the server answered 403 Forbidden")
  }

  @Test func aConnectionThatBreaksMayGoBetter() async throws {
    let feed = Feed(Self.items, at: "items") { count in count == 1 ? .cutConnection : nil }

    let loaded = try await LoadedFeed(feed) { _ in
      [.retry(.attempts(2, only: SectionError.isTransient))]
    }

    #expect(loaded.content.items == Self.items)
  }

  @Test func aRedirectIsFollowedAndOneInCirclesIsNot() async throws {
    let moved = Feed(Self.items, at: "items") { count in
      count == 1 ? .redirect(to: "/list?moved=1") : nil
    }
    let loaded = try await LoadedFeed(moved)
    #expect(loaded.content.items == Self.items)
    #expect(loaded.requests.map { $0.query["moved"] } == [nil, "1"])

    let circle = try await LoadedFeed(Feed([], at: "items") { _ in .redirect(to: "/list") })
    #expect(circle.content.items.isEmpty)
    #expect(
      circle.problem?.hasPrefix("page 1 of the section list: the answer was incomplete") == true)
  }

  @Test func whatAServerSaysIsOnOneLine() async throws {
    let key = #"a\nb\u0007"#
    let loaded = try await LoadedFeed(Feed([], at: "items") { _ in .body("{\"\(key)\":1}") })

    #expect(
      loaded.problem == #"page 1 of the section list: there is no items, only a\nb\u{07}"#)
  }
}
