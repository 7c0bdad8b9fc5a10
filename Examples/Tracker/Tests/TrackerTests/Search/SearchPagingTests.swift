import Foundation
import Testing

@testable import TrackerCore

@Suite struct SearchPagingTests {
  private static let launches = (1...95).map { number in
    // Many of one date: what else tells them apart must not depend on the order of insertion.
    Launch.named("Starlink \(number)", "Falcon 9", day: number / 10, id: "id\(number)")
  }

  @Test(arguments: ["", "star", "falcon 9"], [1, 7, 20, 95, 96])
  func pagesAreTheWholeInOrder(query: String, pageSize: Int) async throws {
    let database = try SearchDatabase(Self.launches)

    let whole = try await database.names(query, pageSize: 1_000)
    let paged = try await database.names(query, pageSize: pageSize)

    #expect(whole.count == 95)
    #expect(paged == whole)
  }

  @Test(arguments: [("", 95), ("star", 95), ("star 9", 95), ("90", 1), ("heavy", 0), ("🚀", 0)])
  func everyPageSaysHowManyThereAreInAll(query: String, total: Int) async throws {
    let database = try SearchDatabase(Self.launches)
    var cursor: String?
    repeat {
      let page = try await database.page(of: query, after: cursor, pageSize: 20)
      #expect(page.total == total && page.all == 95)
      cursor = page.next
    } while cursor != nil
  }

  @Test(arguments: ["", "star"])
  func insertsNeitherRepeatNorLeaveOut(query: String) async throws {
    let database = try SearchDatabase(Self.launches)
    let before = try await database.names(query, pageSize: 1_000)

    var seen: [String] = []
    var cursor: String?
    var count = 0
    repeat {
      let page = try await database.page(of: query, after: cursor, pageSize: 10)
      seen += page.launches.map(\.name)
      cursor = page.next
      // Some that stand before, between and behind what has been seen; and other frequencies.
      let inserted = (0..<20).map { index in
        Launch.named(
          "Starlink star new", "star star star", day: index % 12, id: "new\(count)-\(index)")
      }
      try database.save(inserted)
      count += 1
    } while cursor != nil && count < 100

    let old = seen.filter { !$0.contains("new") }
    #expect(old == before)
  }

  @Test func deletingTheLastOfAPageLosesNothing() async throws {
    let database = try SearchDatabase(Self.launches)
    let whole = try await database.names("star")

    let first = try await database.page(of: "star", pageSize: 10)
    try database.execute("DELETE FROM launch WHERE id = ?", [first.launches.last?.id])
    let second = try await database.page(of: "star", after: first.next, pageSize: 10)

    #expect((first.launches + second.launches).map(\.name) == Array(whole.prefix(20)))
  }

  @Test func theLastPageHasNoNext() async throws {
    let database = try SearchDatabase(Self.launches)

    #expect(try await database.page(of: "", pageSize: 95).next == nil)
    #expect(try await database.page(of: "", pageSize: 94).next != nil)
    let empty = LaunchPage(launches: [], marks: [:], total: 0, all: 0, next: nil)
    #expect(try await SearchDatabase().page(of: "") == empty)
  }

  @Test(arguments: [
    "", "x", "null", "' OR 1=1 --", String(repeating: "A", count: 36),
    String(repeating: "=", count: 36), "🚀",
    String(repeating: "é", count: 18), "\u{0}", String(repeating: "/", count: 36),
  ])
  func aCursorThatWasNotGivenIsRefused(cursor: String) async throws {
    let database = try SearchDatabase(Self.launches)

    await #expect(throws: SearchRefusal.unknownCursor) {
      try await database.page(of: "star", after: cursor)
    }
  }

  @Test func aCursorOfAMegabyteIsRefused() async throws {
    let database = try SearchDatabase(Self.launches)

    await #expect(throws: SearchRefusal.unknownCursor) {
      try await database.page(of: "star", after: String(repeating: "A", count: 1 << 20))
    }
  }

  @Test func aCursorBelongsToItsQuery() async throws {
    let database = try SearchDatabase(Self.launches)
    let cursor = try await database.page(of: "star").next

    await #expect(throws: SearchRefusal.cursorOfAnotherQuery) {
      try await database.page(of: "falcon", after: cursor)
    }
    await #expect(throws: SearchRefusal.cursorOfAnotherQuery) {
      try await database.page(of: "", after: cursor)
    }
    // The same words, written otherwise, are the same query.
    #expect(try await database.page(of: "  STAR star ", after: cursor).launches.count == 20)
  }

  @Test func anyBytesOfACursorAreHarmless() async throws {
    let database = try SearchDatabase(Self.launches)
    let cursor = try #require(try await database.page(of: "star").next)
    for index in cursor.indices {
      for other in "A9_-=" {
        var changed = cursor
        changed.replaceSubrange(index...index, with: [other])
        // Refused, or another place in the list.
        do {
          _ = try await database.page(of: "star", after: changed)
        } catch is SearchRefusal {}
      }
    }
  }

  @Test func aCursorReadsBack() throws {
    let extremes = [Int64.min, -1, 0, 1, .max]
    for date in extremes {
      for key in extremes {
        let cursor = SearchCursor(score: 128, date: date, key: key)
        let query = SearchQuery.words(["a", "b"])

        #expect(try SearchCursor(cursor.text(for: query), for: query) == cursor)
      }
    }
  }
}
