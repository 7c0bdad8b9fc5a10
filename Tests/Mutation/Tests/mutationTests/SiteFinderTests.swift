import Testing

@testable import mutation

@Suite struct SiteFinderTests {
  private func sites(_ body: String, signature: String = "func f()") -> [Site] {
    SiteFinder.sites(in: "struct S {\n  \(signature) {\n    \(body)\n  }\n}\n")
  }

  private func changes(
    _ body: String, _ kind: MutantKind, _ signature: String = "func f()"
  )
    -> [String]
  {
    sites(body, signature: signature).filter { $0.kind == kind }
      .map { "\($0.before) → \($0.after)" }
  }

  @Test(arguments: [
    ("g(a < b)", MutantKind.boundary, ["a < b → a <= b"]),
    ("g(a < b)", .operator, ["a < b → a > b"]),
    ("g(a && b)", .operator, ["a && b → a || b"]),
    ("g(!a)", .operator, ["!a → a"]),
    ("g(0..<n)", .boundary, ["0..<n → 0...n"]),
    ("g(7)", .constant, ["7 → 8"]),
    ("g(true)", .constant, ["true → false"]),
    ("g(a ?? b)", .optional, ["a ?? b → b"]),
    ("g(a.first)", .optional, ["a.first → a.last"]),
    ("g(a.min())", .optional, ["a.min() → a.max()"]),
    ("if a { g() }", .branch, ["a → !(a)"]),
    ("guard a else { return }", .condition, ["a → true"]),
    ("for a in b where c { g() }", .condition, ["c → true"]),
    ("g(1)", .call, ["g(1) → "]),
    ("a += b", .transition, ["a += b → "]),
    ("g()\n    h()", .order, ["g()\n    h() → h() g()"]),
    ("try g()", .propagation, ["try g() → try? g()"]),
    ("if a { return }\n    g()", .propagation, ["return → "]),
    ("defer { g() }\n    h()", .propagation, ["g() → "]),
  ])
  func aPlaceIsFound(_ body: String, _ kind: MutantKind, _ expected: [String]) {
    #expect(changes(body, kind) == expected)
  }

  @Test(arguments: [
    "assert(a < b)", "precondition(a, \"\\(b + 1)\")", "checkInvariants()",
    "list.reserveCapacity(4)", "#if os(macOS)\n    g(a < b)\n    #endif",
    "switch a { case 1: break }",
  ])
  func whatNoTestShouldNoticeIsPassedOver(_ body: String) {
    #expect(sites(body).isEmpty)
  }

  @Test func whatClientsCompileIsPassedOver() {
    #expect(sites("g(1)", signature: "@inlinable func f()").isEmpty)
  }

  @Test func aValueIsNotRemoved() {
    #expect(changes("g()", .call, "func f() -> Int") == [])
    #expect(changes("h { g() }", .call) == ["h { g() } → "])
    #expect(changes("switch a { case .b: g() }", .call, "func f() -> Int") == [])
    #expect(changes("switch a { case .b: g() }", .call) == ["g() → "])
  }

  @Test func fieldsAreSetInInitializers() {
    #expect(changes("self.a = a", .transition, "init(a: Int)") == [])
  }

  @Test func aSiteNamesItsFunction() {
    #expect(
      sites("g()", signature: "func f(_ a: Int, by b: Int)").map(\.function) == ["S.f(_:by:)"])
  }
}
