import Foundation
import Testing

@testable import TrackerCore

/// Tests for the search over HTTP, as clients see it.
@Suite struct SearchRoutesTests {
  private static let launches = (1...45).map {
    Launch.named("Starlink \($0)", "Falcon 9", day: $0)
  }

  @Test func pagesFollowEachOther() async throws {
    try await SearchServer.using(SearchDatabase(Self.launches)) { server in
      let first = try await server.page("q=star")
      let second = try await server.page("q=star&page=\(first.next ?? "")")
      let third = try await server.page("q=star&page=\(second.next ?? "")")

      let names = (first.launches + second.launches + third.launches).map(\.name)
      #expect(names == Self.launches.reversed().map(\.name))
      #expect(third.next == nil)
    }
  }

  @Test func aLaunchIsWholeAndWhatIsMissingIsLeftOut() async throws {
    let launch = Launch(
      id: "x", flightNumber: 3, name: "A \"quoted\"\n\u{1}name", details: nil, date: -5,
      success: nil, upcoming: true, rocket: nil)
    try await SearchServer.using(SearchDatabase([launch])) { server in
      let page = try await server.page("q=")
      #expect(page.launches == [launch])
      let type = try await server.answer("/launches").headers["content-type"]
      #expect(type?.hasPrefix("application/json") == true)
    }
  }

  @Test(arguments: [
    ("q=star+45", 1), ("q=star%2045", 1), ("q=st%61r", 45), ("q=%73tar&q=nothing", 45), ("q", 45),
    ("", 45), ("&&&=&=x", 45), ("q=%", 0), ("q=%zz", 0), ("q=%+1", 11), ("q=%ff%fe", 0),
    ("q=%00", 0), ("q=star%00", 45), ("%71=star", 45), ("q=star&page=", 45), ("Q=none", 45),
  ])
  func aQueryIsReadAsFormsWriteIt(query: String, count: Int) async throws {
    try await SearchServer.using(SearchDatabase(Self.launches), pageSize: 100) { server in
      let page = try await server.page(query)
      #expect(page.launches.count == count)
    }
  }

  @Test(arguments: ["page=x", "q=star&page=%00", "page=\(String(repeating: "A", count: 36))"])
  func aPageThatIsNoneIsRefusedWithASentence(query: String) async throws {
    try await SearchServer.using(SearchDatabase(Self.launches)) { server in
      let answer = try await server.answer("/launches?\(query)")

      #expect(answer.status == 400)
      #expect(answer.text.contains("leave it out to begin anew"))
    }
  }

  @Test func tooManyWordsAreRefusedWithASentence() async throws {
    try await SearchServer.using(SearchDatabase(Self.launches)) { server in
      let words = (0..<100).map { "w\($0)" }.joined(separator: "+")
      let answer = try await server.answer("/launches?q=\(words)")

      #expect(answer.status == 400)
      #expect(answer.text.contains("the query has 100 different words"))
    }
  }

  @Test func anAddressOfAMegabyteHarmsNobody() async throws {
    try await SearchServer.using(SearchDatabase(Self.launches)) { server in
      let long = String(repeating: "x", count: 1 << 20)
      // The server may refuse, or hang up before it has all of it.
      let answer = try? await server.answer("/launches?q=\(long)")
      #expect(answer == nil || (answer?.status ?? 0) >= 400)

      let page = try await server.page("q=star")
      #expect(page.launches.count == 20)
    }
  }

  @Test(arguments: [
    ("/search", "text/html"), ("/search/search.js", "text/javascript"),
    ("/search/store.js", "text/javascript"), ("/search/launches.css", "text/css"),
    ("/launches/Starlink%201", "text/html"),
  ])
  func thePageMayRunNothingButItsOwn(path: String, type: String) async throws {
    try await SearchServer.using(SearchDatabase(Self.launches)) { server in
      let answer = try await server.answer(path)

      #expect(answer.status == 200)
      #expect(answer.headers["content-type"]?.hasPrefix(type) == true)
      let policy = answer.headers["content-security-policy"] ?? ""
      #expect(policy.contains("default-src 'none'; script-src 'self'"))
      #expect(!policy.contains("unsafe"))
      #expect(answer.headers["x-content-type-options"] == "nosniff")
    }
  }

  @Test func textIsOnlyEverText() async throws {
    try await SearchServer.using(SearchDatabase()) { server in
      for path in ["/search/search.js", "/search/store.js"] {
        let script = try await server.answer(path).text
        for way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
          #expect(!script.contains(way), "\(path) has \(way)")
        }
      }
      let page = try await server.answer("/search").text
      #expect(page.firstRange(of: /<script>|\son\w+=|style=/) == nil)
    }
  }
}
