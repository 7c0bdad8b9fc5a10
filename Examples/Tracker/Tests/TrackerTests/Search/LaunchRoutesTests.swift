import Foundation
import Testing

@testable import TrackerCore

/// Tests for the launch page and the list page, as the server sends them.
@Suite struct LaunchRoutesTests {
  private static let launches = (1...45).map {
    Launch.named("Starlink \($0)", "Falcon 9", day: $0)
  }

  /// Calls a closure with a server that has three launches. The middle one has complete data.
  private func using(
    _ change: @Sendable (inout FedLaunch) -> Void = { _ in },
    _ test: @Sendable (SearchServer) async throws -> Void
  ) async throws {
    var fed = FedLaunch(launch: .named("Amos & <Six>", "Lost on the pad", day: 2, id: "a/b"))
    fed.launch.success = false
    fed.launch.failures = [
      LaunchFailure(time: -165_180, altitude: 0, reason: "buckled liner"), LaunchFailure(),
    ]
    fed.launch.links.webcast = "https://example.com/film?a=1&b=2"
    fed.cores = [
      LaunchCore(
        launch: "a/b", position: 0, core: "c1", flight: 3, reused: true, landingAttempt: true,
        landingSuccess: true, landingType: "ASDS"), LaunchCore(launch: "a/b", position: 1),
    ]
    change(&fed)
    let database = try SearchDatabase([.named("Before", day: 1), .named("After", day: 3)])
    let whole = fed
    try await database.pool.write { database in
      try whole.upsert(database)
      try Core(id: "c1", serial: "B1048", status: "active", reuseCount: 4).insert(database)
    }
    try await SearchServer.using(database, test)
  }

  @Test func allThatIsKnownOfALaunchIsOnItsPage() async throws {
    try await using { server in
      let page = try await server.answer("/launches/a%2Fb?q=amos")

      #expect(page.status == 200)
      for text in [
        "<h1><bdi>Amos &amp; &lt;Six&gt;</bdi></h1>", "Lost on the pad", "Flight 2", "Failure",
        "3 January 1970", "buckled liner", "1 d 21 h before lift-off, on the ground",
        "No reason is known.", "<bdi>B1048</bdi></th><td>3</td><td>Yes</td>",
        "<td>Landed on a drone ship</td>", "Not yet chosen",
        #"<a href="https://example.com/film?a=1&amp;b=2" rel="noreferrer">Webcast</a>"#,
        #"rel="prev" href="/launches/Before?q=amos""#, #"rel="next" href="/launches/After?q=amos""#,
        ##"href="/search?q=amos#launch-a%2Fb""##, #"href="/launches/a%2Fb.json""#,
      ] {
        #expect(page.text.contains(text), "\(text)")
      }
    }
  }

  @Test func aLaunchIsThereForPrograms() async throws {
    try await using { server in
      let answer = try await server.answer("/launches/a%2Fb.json")

      #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
      let detail = try JSONDecoder().decode(LaunchDetail.self, from: Data(answer.text.utf8))
      #expect(detail.launch.name == "Amos & <Six>")
      #expect(detail.cores.map(\.serial) == ["B1048", nil])
      #expect(detail.previous?.id == "Before" && detail.next?.id == "After")
    }
  }

  @Test(arguments: ["nobody", "%00", "..%2f..%2fetc", "%3Cscript%3E", "nobody.json", ".json"])
  func aLaunchThatIsNotThereIsNotFound(id: String) async throws {
    try await using { server in
      let answer = try await server.answer("/launches/\(id)")

      #expect(answer.status == 404)
      #expect(!answer.text.contains("<script>"))
      #expect(answer.text.contains("no launch has") || answer.text.contains("No launch has"))
      let isPage = !id.hasSuffix(".json")
      #expect(answer.text.contains("”. All launches can be searched.") == isPage)
      #expect(answer.text.contains(#"<a class="button" href="/search">Search launches"#) == isPage)

      let program = try await server.answer("/launches/\(id)", accepting: "application/json")
      #expect(program.status == 404)
      #expect(program.text.contains("no launch has"))
      #expect(!program.text.contains("<html"))
    }
  }

  @Test(arguments: ["/search", "/launches/a%2Fb"])
  func whatIsNotUpToDateSaysSoAndWhy(path: String) async throws {
    try await using { server in
      let notice = #"<p class="column notice stale"><strong>Not up to date.</strong> "#
      #expect(try await !server.answer(path).text.contains("notice stale"))

      let loss = Loss(cause: "the feed at <a> refused", pebbles: ["fetch"], page: Refresh.page)
      server.site.show(.stale(loss))
      let text = try await server.answer(path).text
      #expect(
        text.contains(
          notice + "The feed at &lt;a&gt; refused. "
            + ##"<a href="/boot/refresh#pebble=fetch">What happened</a></p>"##))
    }
  }

  @Test func anIdentifierMayEndLikeAFile() async throws {
    try await SearchServer.using(SearchDatabase([.named("X", id: "x.json")])) { server in
      let page = try await server.answer("/launches/x.json")
      #expect(page.text.contains("<h1><bdi>X</bdi></h1>"))
      let json = try await server.answer("/launches/x.json.json")
      #expect(json.text.hasPrefix("{"))
    }
  }

  /// Checks that unsafe addresses in the database do not become links. The feed's addresses are
  /// checked when they are read, but another program may have written the database.
  @Test(arguments: ["javascript:alert(1)", "data:text/html,x", "//example.com", "https:", " "])
  func onlyAddressesOfTheWebAreLinks(address: String) async throws {
    try await using {
      $0.launch.links.webcast = address
    } _: { server in
      let page = try await server.answer("/launches/a%2Fb")
      #expect(page.status == 200 && !page.text.contains("Webcast"))
    }
  }

  @Test func whatIsToComeInThePastSaysSo() async throws {
    try await using {
      ($0.launch.upcoming, $0.launch.success) = (true, nil)
    } _: { server in
      let page = try await server.answer("/launches/a%2Fb")
      #expect(page.text.contains("its date has passed"))
      let list = try await server.answer("/search")
      #expect(list.text.contains("Was due; no result"))
    }
  }

  @Test(arguments: [Int.min, -1, 0, 1, 139, 86_400, .max])
  func anyTimeOfAFailureIsTold(time: Int) async throws {
    let told = ["before lift-off", "at lift-off", "after lift-off"][time.signum() + 1]
    #expect(LaunchFailure(time: time).circumstances?.hasSuffix(told) == true)
  }

  @Test func withoutAScriptThereIsALinkToTheNextPage() async throws {
    try await SearchServer.using(SearchDatabase(Self.launches)) { server in
      var (path, names) = ("/search?q=STAR", [String]())
      for _ in 0..<3 {
        let text = try await server.answer(path).text
        #expect(text.contains("45 of 45 launches with “STAR”"))
        names += text.matches(of: /<bdi class="name"><mark>Star<\/mark>(.*?)<\/bdi>/).map {
          "\($0.1)"
        }
        guard let next = text.firstMatch(of: /rel="next" href="([^"]+)">/)?.1 else { break }
        path = String(next).replacing("&amp;", with: "&")
      }
      #expect(names == (1...45).reversed().map { "link \($0)" })
    }
  }

  @Test(arguments: ["page=x", "q=\((0..<100).map { "w\($0)" }.joined(separator: "+"))"])
  func whatIsRefusedIsRefusedOnThePageToo(query: String) async throws {
    try await SearchServer.using(SearchDatabase(Self.launches)) { server in
      let answer = try await server.answer("/search?\(query)")

      #expect(answer.status == 400)
      #expect(answer.text.firstMatch(of: /<p id="status" role="status">The [^<]+\.<\/p>/) != nil)
    }
  }

  /// Checks that each example in the hint finds launches in the bundled data.
  @Test func whatTheHintSaysIsFound() async throws {
    let folder = LaunchFiles.folder.deletingLastPathComponent()
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let launches = try decoder.decode(
      [ServedLaunch].self,
      from: Data(contentsOf: folder.appending(path: "Fixtures/launches.json"))
    ).map(\.row.launch)
    try await SearchServer.using(SearchDatabase(launches)) { server in
      let page = try await server.answer("/search").text
      let examples = page.matches(of: /href="(\/search\?q=[^"]+)"/).map { String($0.1) }
      #expect(examples.count == 2)
      for example in examples {
        let found = try await server.answer(example).text
        #expect(found.contains("<mark>") && !found.contains("None of"), "\(example)")
      }
    }
  }
}
