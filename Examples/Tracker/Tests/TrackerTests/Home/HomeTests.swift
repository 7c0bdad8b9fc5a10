import Foundation
import Hummingbird
import People
import SitePages
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for Home as the server sends it, before a script runs.
@Suite struct HomeTests {
  @Test func itIsThereWithAllSections() async throws {
    try await HomeServer.using { server in
      let page = try await server.page()

      #expect(page.status == 200)
      #expect(page.headers["content-security-policy"]?.contains("trusted-types 'none'") == true)
      #expect(page.text.contains("<h1>Tuesday, 1 November 2022</h1>"))
      #expect(page.text.contains("Up to date"))
      #expect(page[.next].contains(#"<a class="name" href="/launches/soon">soon</a>"#))
      #expect(page[.next].contains(">in 3 days, 4 h</p>"))
      #expect(page[.next].contains("4 November 2022, 16:00 UTC"))
      #expect(page[.next].contains("December 2022</time>"))
      #expect(page[.next].contains("planned for 20 October 2022"))
      #expect(page[.next].contains("the feed has not said how they went"))
      #expect(page[.latest].components(separatedBy: "<li>").count == 1 + 5)
      #expect(page[.latest].contains(#"<span class="badge succeeded">Success</span>"#))
      #expect(page[.failures].contains("helium tank overpressure"))
      #expect(page[.failures].contains("(2 min 19 s after lift-off, at a height of 40 km)"))
      let cores = page[.cores].components(separatedBy: #"<td class="number">"#)
      #expect(cores[0].contains(">B1<") && cores[1].hasPrefix("3<") && cores[3].hasPrefix("2<"))
      #expect(page.state(.people) == "making")
      for name in HomeSections.Name.allCases where name != .people {
        #expect(page.state(name) == "there", "\(name)")
      }
    }
  }

  @Test func moreIsShownByAddress() async throws {
    try await HomeServer.using { server in
      let first = try await server.page()
      #expect(first[.latest].contains(#"href="/?latest=2&amp;only=latest#latest">Show more"#))
      let page = try await server.page("/?latest=3&cores=2")

      #expect(page[.latest].components(separatedBy: "<li>").count == 1 + 12)
      #expect(!page[.latest].contains("Show more"))
      #expect(page[.cores].contains(#"aria-current="true"><span class="unseen">Page </span>2"#))
      #expect(page[.cores].components(separatedBy: "<tr>").count == 2 + 1)
    }
  }

  @Test(arguments: ["latest=0", "latest=-9&cores=x", "cores=99999999999999999999", "only=nobody"])
  func whatCannotBeMeantIsLeftOut(query: String) async throws {
    try await HomeServer.using { server in
      let page = try await server.page("/?\(query)")

      #expect(page.status == 200)
      #expect(page.state(.latest) == "there" && page.state(.cores) == "there")
    }
  }

  @Test(arguments: HomeSections.Name.allCases)
  func aSectionThatFailsCostsNoOther(name: HomeSections.Name) async throws {
    try await HomeServer.using { server in
      server.site.people.open(PeopleService(try People(generating: 10, seed: 1)))
      server.obstacles.put(.failure("the disk is <gone>"), before: name)
      let page = try await server.page()

      for other in HomeSections.Name.allCases {
        #expect(page.state(other) == (other == name ? "failed" : "there"), "\(other)")
      }
      #expect(
        page[name].contains(
          "could not be loaded: the disk is &lt;gone&gt;"))
      #expect(page[name].contains(#"href="/?only=\#(name)#\#(name)">Try again</a>"#))

      server.obstacles.put(nil, before: name)
      let before = server.obstacles.counts
      let again = try await server.page("/?only=\(name)")
      #expect(again.state(name) == "there")
      // Nothing else was asked for, and it is there all the same.
      let asked = server.obstacles.counts.filter { $0.value != before[$0.key] }
      #expect(asked.keys.map(\.self) == [name.rawValue])
      #expect(again.text.components(separatedBy: #"data-state="there""#).count == 1 + 5)
    }
  }

  @Test(arguments: HomeSections.Name.allCases)
  func aSectionThatIsSlowHoldsNoPage(name: HomeSections.Name) async throws {
    let slow = Turnstile()
    try await HomeServer.using(patience: .zero) { server in
      server.site.people.open(PeopleService(try People(generating: 10, seed: 1)))
      server.obstacles.put(.held(by: slow), before: name)
      let early = try await server.page()
      #expect(early.state(name) == "loading")
      #expect(early[name].contains("It is being loaded."))

      // Asked for again, it is not loaded a second time.
      await slow.reached(1)
      _ = try await server.page()
      #expect(slow.count == 1)
      slow.open()
      server.obstacles.put(nil, before: name)
      while try await server.page("/?only=\(name)").state(name) != "there" { await Task.yield() }
    }
  }

  @Test func whatCannotBeLoadedAgainIsShownWithItsTime() async throws {
    try await HomeServer.using { server in
      #expect(try await server.page().state(.latest) == "there")
      server.obstacles.put(.body("<html>"), before: .latest)
      let page = try await server.page()

      #expect(page.state(.latest) == "stale")
      #expect(page[.latest].contains("What follows is of <time>12:00 UTC</time>."))
      #expect(page[.latest].contains("past 1</a>"))
    }
  }

  @Test func emptySectionsSaySo() async throws {
    try await HomeServer.using([], cores: [:]) { server in
      let page = try await server.page()

      #expect(page[.next].contains("The feed knows of no launch to come."))
      #expect(page[.latest].contains("The feed knows of no launch yet."))
      #expect(page[.failures].contains("No launch that the feed knows of has failed."))
      #expect(page[.cores].contains("The feed does not say which cores have flown."))
    }
  }

  @Test func namesAreText() async throws {
    var hostile = HomeServer.launch("<img src=x onerror=a()>\"\u{301}", 86_400, upcoming: true)
    hostile.details = "</p><script>alert(1)</script>"
    var failed = HomeServer.launch("{{name}}", -1, success: false, why: "<b>why</b>")
    failed.date = .min
    try await HomeServer.using([hostile, failed]) { server in
      let page = try await server.page()

      // The quote is one character with the accent behind it.
      let name = "&lt;img src=x onerror=a()&gt;&quot;\u{301}"
      #expect(page[.next].unicodeScalars.contains(name.unicodeScalars))
      #expect(page[.next].contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
      #expect(page[.failures].contains("{{name}}") && page[.failures].contains("&lt;b&gt;why"))
      #expect(page[.failures].contains("on a day that no calendar has"))
      #expect(!page.text.contains("<img") && !page.text.contains("<script>"))
    }
  }

  @Test func whatIsBeingLoadedIsNotLoadedTwice() async {
    let shelves = HomeShelves()
    #expect(shelves.begin([.next, .latest]) == [.next, .latest])
    #expect(shelves.begin([.latest, .cores]) == [.cores])

    shelves.giveUp([.latest], "the site is closed")
    #expect(shelves.contents.loading == [.next, .cores])
    #expect(shelves.contents.latest.problem == "the site is closed")
    await shelves.settled([.latest, .people])
    #expect(shelves.begin([.latest]) == [.latest])
  }

  /// Checks that a visitor waits only for the current loads. With enough visitors, another load is
  /// always under way.
  @Test func aVisitorDoesNotWaitForLoadsOfOthers() async {
    let shelves = HomeShelves()
    #expect(shelves.begin([.next, .cores]) == [.next, .cores])
    let settling = shelves.settling([.next, .cores])

    shelves.giveUp([.next], "the site is closed")
    #expect(shelves.begin([.next]) == [.next])
    shelves.giveUp([.cores], "the site is closed")

    for await _ in settling {}
    #expect(shelves.contents.loading == [.next])
  }

  /// Checks that the end of a load is not mistaken for the end of another visitor's load of the
  /// same section.
  @Test func theEndOfALoadIsNotTheEndOfAnother() async throws {
    let (cores, next) = (Turnstile(), Turnstile())
    try await HomeServer.using(patience: .zero) { server in
      defer { for turnstile in [cores, next] { turnstile.open() } }
      func visits(_ count: Int) async {
        while true {
          let visits = server.site.visits
          if visits.admitted - visits.answered == count { return }
          await Task.yield()
        }
      }
      server.obstacles.put(.held(by: cores), before: .cores)
      _ = try await server.page()
      await cores.reached(1)
      while try await server.page("/?only=next").state(.next) != "there" { await Task.yield() }
      server.obstacles.put(.held(by: next), before: .next)
      _ = try await server.page("/?only=next")
      await next.reached(1)

      // Of both loads, the first ends.
      await visits(2)
      cores.open()
      await visits(1)

      let page = try await server.page("/?only=next")
      #expect(page.state(.next) == "renewing")
      #expect(!page[.next].contains("could not be loaded"))
      #expect(next.count == 1)
    }
  }

  @Test func theDatabaseWaitsForALoad() async throws {
    let slow = Turnstile()
    try await HomeServer.using(patience: .zero) { server in
      server.obstacles.put(.held(by: slow), before: .cores)
      _ = try await server.page()
      await slow.reached(1)

      async let left = server.site.close()
      while server.site.isOpen { await Task.yield() }
      slow.open()
      #expect(await left == 0)
    }
  }

  @Test func whyItIsStaleAndWhatToDoAreSaid() async throws {
    try await HomeServer.using { server in
      server.site.show(
        .stale(Loss(cause: "the feed at <a> refused", pebbles: ["fetchLaunches", "stale"])))
      let page = try await server.page()

      #expect(page.text.contains("Not up to date"))
      #expect(page.text.contains("The feed at &lt;a&gt; refused."))
      #expect(page.text.contains(#"<form method="post" action="/boot/retry"><button>Retry"#))
      #expect(page.text.contains(#"<a href="/boot#pebble=fetchLaunches">What happened</a>"#))
      #expect(page.state(.latest) == "there")
    }
  }

  @Test func offlineIsAPageOfTheSite() async throws {
    let (site, closed) = (Site(), try ClosedHome(try SiteLayout()))
    site.show(.offline(Loss(cause: "the feed refused", left: .nothing)))
    func asking(_ headers: HTTPFields) -> Request {
      Request(
        head: HTTPRequest(
          method: .get, scheme: nil, authority: nil, path: "/", headerFields: headers),
        body: RequestBody(buffer: ByteBuffer()))
    }
    #expect(closed.response(to: asking([:]), site) == nil)
    let request = asking([.accept: "text/html"])

    let response = try #require(closed.response(to: request, site))
    #expect(response.status == .serviceUnavailable && response.headers[.retryAfter] == "1")
    let text = String(buffer: try await response.body.bytes ?? ByteBuffer())
    #expect(text.contains("The feed refused; no launches are there from earlier."))
    #expect(text.contains("<button>Retry</button>") && !text.contains("<section"))
  }

  @Test(arguments: [(2, false), (3, false), (4, true)])
  func othersComeTomorrowIfThereAreAny(count: Int, areOthers: Bool) async throws {
    try await HomeServer.using { server in
      server.site.people.open(PeopleService(try People(generating: count, seed: 1)))
      let page = try await server.page()

      #expect(page.state(.people) == "there")
      #expect(page[.people].contains("Three of \(count); others tomorrow.") == areOthers)
      #expect(page[.people].contains("others tomorrow") == areOthers)
    }
  }

  @Test func peopleAreWrittenAsOnTheirPage() {
    let people = [("AB-", 43.0), ("A+", 42.5)].map {
      SomePerson(id: 1, name: "Ann", bloodType: $0, shoeSize: $1)
    }
    let rows = PeopleValues(people: people, count: 2).people
    #expect(rows.map { "\($0.bloodType), \($0.shoeSize)" } == ["AB−, 43", "A+, 42.5"])
  }

  static let countdowns: [(Int64, String)] = [
    (0, "any moment"), (-5, "any moment"), (59, "in less than a minute"), (60, "in 1 min"),
    (3_600, "in 1 h"), (3_660, "in 1 h, 1 min"), (86_399, "in 23 h, 59 min"),
    (86_400, "in 1 day"), (86_460, "in 1 day"), (273_659, "in 3 days, 4 h"),
    (.max, "in 106751991167300 days, 15 h"),
  ]

  @Test(arguments: countdowns)
  func aCountdownSaysTheTwoGreatestUnits(seconds: Int64, text: String) {
    #expect(Countdown.text(to: seconds, from: 0) == text)
  }
}
