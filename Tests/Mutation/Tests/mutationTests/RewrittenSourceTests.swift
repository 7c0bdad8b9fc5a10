import Testing

@testable import mutation

@Suite struct RewrittenSourceTests {
  private func rewritten(_ source: String, _ isChosen: (Site) -> Bool) -> RewrittenSource {
    let parts = SiteFinder.sites(in: source).filter(isChosen).enumerated().map {
      RewrittenSource.Part(number: $0, site: $1)
    }
    return RewrittenSource(source, parts)
  }

  @Test func eachMutantStandsBehindItsNumber() {
    let source = "func f() {\n  if a < b { g() }\n}\n"

    let text = rewritten(source) { [.boundary, .branch, .call].contains($0.kind) }.text

    #expect(
      text == """
        import ActiveMutant
        func f() {
          if (((isMutant(1) ? (a <= b) : (a < b))) != isMutant(0)) { if !isMutant(2) { g() } }
        }

        """)
  }

  @Test func neighboursThatAreSwappedStandTwice() {
    let text = rewritten("func f() {\n  g()\n  h()\n}\n") { $0.kind == .order }.text

    #expect(text.contains("if isMutant(0) { h() }; g()\n  if !isMutant(0) { h() }\n"))
  }

  @Test func anErrorLeadsToTheMutantOfItsLine() {
    let source = "func f() {\n  g(1)\n  g(2)\n}\n"

    let rewritten = rewritten(source) { $0.kind == .constant }

    #expect(rewritten.numbers(at: 3) == [0])
    #expect(rewritten.numbers(at: 4) == [1])
  }

  @Test func anErrorElsewhereLeadsToTheMutantsOfItsFunction() {
    let source = "func f() -> Int {\n  if a { return b }\n  c = d\n}\nfunc g() { h() }\n"

    let rewritten = rewritten(source) { [.propagation, .call].contains($0.kind) }

    #expect(rewritten.numbers(at: 5) == [0])
  }
}
