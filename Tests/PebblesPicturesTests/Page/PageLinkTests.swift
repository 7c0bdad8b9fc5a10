import Pebbles
import PebblesAnalysis
import PebblesPictures
import PebblesTestSupport
import Testing

@Suite(.watched) struct PageLinkTests {
  @Test(arguments: [
    "/", "", "launches", "../boot?x=1#y", "/a:b", "?a:b", "#a:b", "http://x", "HTTPS://x",
    "//host/a", "/\u{301}a:b",
  ])
  func addressesOfPagesAreKept(_ address: String) {
    #expect(PageLink("page", to: address).address == address)
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
    "\u{1}javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "a b",
    "javascript:\u{FF9E}=alert(1)", "data:\u{301}text/html,x",
  ])
  func otherAddressesAreDropped(_ address: String) throws {
    let link = PageLink("page", to: address)

    #expect(link.address == nil)
    let page = try bootRun().page(links: [link])
    #expect(page.contains("<nav id=\"site\" aria-label=\"Site\"><a>page</a></nav>"))
  }

  @Test func titlesAndAddressesStayText() throws {
    let link = PageLink("<b>\"x\"\n", to: "/?\"><script>", isCurrent: true)

    let page = try bootRun().page(links: [link])

    #expect(
      page.contains(
        "<a href=\"/?&quot;&gt;&lt;script&gt;\" aria-current=\"page\">&lt;b&gt;&quot;x&quot;⏎</a>"))
  }

  @Test func onlyThePageOfARunUnderWayAsksForAnything() async throws {
    let pond = Pond("</script>")
    pond.pebble("only") {}
    let run = try pond.start()
    _ = try await run.report

    #expect(run.livePage(events: "/</script>").contains(" connect-src 'self';"))
    #expect(run.livePage(events: "/</script>").ranges(of: "</script>").count == 2)
    #expect(try !bootRun().page().contains("connect-src"))
    #expect(throws: JSONError.self) { try PondDocument(run.livePage(events: "/events").utf8) }
  }
}
