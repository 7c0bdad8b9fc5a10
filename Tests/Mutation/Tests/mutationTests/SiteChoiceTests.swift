import Testing

@testable import mutation

@Suite struct SiteChoiceTests {
  private static let source = """
    func f() {
      if a < b { g(1) }
      c += 2
      h(a && b)
    }
    func k() { l(); m() }
    """

  private func ids(_ source: String, quota: Int) -> Set<String> {
    let choice = SiteChoice(SiteFinder.sites(in: source), in: "A.swift", quota: quota)
    return Set(choice.chosen.map(\.id))
  }

  @Test func theQuotaIsKept() {
    #expect(ids(Self.source, quota: 4).count == 4)
  }

  @Test func kindsTakeTurns() {
    let sites = SiteFinder.sites(in: Self.source)
    let choice = SiteChoice(sites, in: "A.swift", quota: 5)

    #expect(Set(choice.chosen.map(\.site.kind)).count == 5)
  }

  @Test func linesThatMoveChangeNothing() {
    let moved = "// A word.\n\n" + Self.source

    #expect(ids(moved, quota: 5) == ids(Self.source, quota: 5))
  }

  @Test func noCodeIsReplacedTwice() {
    let choice = SiteChoice(SiteFinder.sites(in: Self.source), in: "A.swift", quota: 100)

    for (index, one) in choice.chosen.enumerated() {
      for other in choice.chosen[(index + 1)...] {
        #expect(!SiteChoice.exclude(one.site, other.site))
      }
    }
  }
}
