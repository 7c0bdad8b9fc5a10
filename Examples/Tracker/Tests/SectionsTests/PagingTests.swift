import Foundation
import Pebbles
import Testing
import TrackerTestSupport

@testable import Sections

/// Tests for all paging rules, over HTTP.
@Suite struct PagingTests {
  private static let items = Feed.items(0..<25)
  private static let names = items.map(\.name)

  @Test func aListWithoutPagesIsOneRequest() async throws {
    let loaded = try await LoadedFeed(
      Feed(Self.items, at: "collection", "users"), "collection.users")

    #expect(loaded.names == Self.names)
    #expect(loaded.content.isComplete)
    #expect(loaded.content.pageCount == 1)
    #expect(loaded.requests == [FeedRequest(path: "/list")])
  }

  @Test func aListMayBeTheDocumentItself() async throws {
    let loaded = try await LoadedFeed(Feed(Self.items), .root)

    #expect(loaded.names == Self.names)
  }

  @Test(arguments: [1, 3, 4])
  func pagesWithNumbersEndWithAShortOne(ahead: Int) async throws {
    let loaded = try await LoadedFeed(
      Feed(Self.items, at: "items", paging: .page(size: 10)),
      paging: .page(size: 10, ahead: ahead))

    #expect(loaded.names == Self.names)
    #expect(loaded.content.isComplete)
    #expect(loaded.content.pageCount == 3)
    #expect(loaded.requests.first?.query == ["page": "1", "size": "10"])
    #expect(loaded.requests.count == max(3, ahead + 1))
  }

  @Test func afterAFullLastPageComesAnEmptyOne() async throws {
    let loaded = try await LoadedFeed(
      Feed(Feed.items(0..<20), at: "items", paging: .page(size: 10)), paging: .page(size: 10))

    #expect(loaded.content.items.count == 20)
    #expect(loaded.content.isComplete)
    #expect(loaded.content.pageCount == 3)
  }

  @Test func whatStandsBehindTheLastPageIsNotLookedAt() async throws {
    let feed = Feed(Self.items, at: "items", paging: .page(size: 20)) { count in
      count > 2 ? .status(404) : nil
    }

    let loaded = try await LoadedFeed(feed, paging: .page(size: 20, ahead: 1))
    #expect(loaded.names == Self.names)

    // Of the pages asked for at once, whichever comes first, the short one is the last.
    let behind = Feed(Self.items, at: "items", paging: .page(size: 20))
    let ahead = try await LoadedFeed(behind, paging: .page(size: 20, ahead: 5))
    #expect(ahead.names == Self.names)
    #expect(ahead.content.error == nil)
    #expect(ahead.content.isComplete)
  }

  @Test func aTokenLeadsToTheNextPage() async throws {
    let loaded = try await LoadedFeed(
      Feed(Self.items, at: "items", paging: .token(key: "after", size: 10)),
      paging: .token(key: "after"))

    #expect(loaded.names == Self.names)
    #expect(loaded.content.isComplete)
    #expect(loaded.requests.map { $0.query["after"] } == [nil, "10", "20"])
  }

  @Test func aTokenIsFoundByWhatSomebodyWrote() async throws {
    let loaded = try await LoadedFeed(
      Feed(Self.items, at: "items", paging: .token(key: "after", size: 10)),
      paging: .token(key: "after") { page in page["after"]?.string })

    #expect(loaded.names == Self.names)
    #expect(loaded.requests.map { $0.query["after"] } == [nil, "10", "20"])
  }

  @Test func aLiteralMayBeAKeyPathOrAKey() throws {
    let text = #"{"paging":{"next":"a"},"paging.next":"b"}"#
    let page = try JSONDecoder().decode(Sections.JSONValue.self, from: Data(text.utf8))

    #expect(page[at: "paging.next"]?.string == "a")
    #expect(page["paging.next"]?.string == "b")
  }

  @Test func keysAreThoseOfThePageWhateverTheDecoderMakesOfThem() async throws {
    let loaded = try await LoadedFeed(
      Feed(Self.items, at: "all_users", "user_list", paging: .token(key: "next_token", size: 10)),
      "all_users.user_list", paging: .token(key: "next_token"),
      decoder: {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
      })

    #expect(loaded.names == Self.names)
    #expect(loaded.requests.map { $0.query["next_token"] } == [nil, "10", "20"])
  }

  @Test func aCursorInAHeaderLeadsToTheNextPage() async throws {
    let loaded = try await LoadedFeed(
      Feed(Self.items, at: "items", paging: .headerCursor(name: "X-Next", size: 10)),
      paging: .headerCursor("X-Next", size: 10))

    #expect(loaded.names == Self.names)
    #expect(loaded.content.isComplete)
    #expect(loaded.requests.map(\.cursor) == [nil, "10", "20"])
    #expect(loaded.requests.map { $0.query["size"] } == ["10", "10", "10"])
  }

  @Test func itemsThatMovedOntoTheNextPageAreTakenOnce() async throws {
    // Two items came in front of the others between the first page and the second.
    let moved = Feed.items(8..<25)
    let feed = Feed(Self.items, at: "items", paging: .page(size: 10)) { count in
      switch count {
      case 2: .body(#"{"items":\#(json(moved.prefix(10)))}"#)
      case 3: .body(#"{"items":\#(json(moved.dropFirst(10)))}"#)
      default: nil
      }
    }

    let loaded = try await LoadedFeed(feed, paging: .page(size: 10))

    #expect(loaded.names == Self.names)
    #expect(loaded.content.duplicateCount == 2)
    #expect(loaded.content.isComplete)
  }

  @Test func aRequestThatIsDisabledEndsTheSection() async throws {
    let loaded = try await LoadedFeed(
      Feed(Self.items, at: "items", paging: .page(size: 10)), paging: .page(size: 10)
    ) { request in
      [.enabled { request.page < 1 }]
    }

    #expect(loaded.names == Array(Self.names.prefix(10)))
    #expect(!loaded.content.isComplete)
    #expect(loaded.content.error == nil)
    #expect(loaded.requests.count == 1)
  }
}

func json(_ items: some Sequence<Feed.Item>) -> String {
  let data = try? JSONEncoder().encode(Array(items))
  return String(decoding: data ?? Data(), as: UTF8.self)
}
