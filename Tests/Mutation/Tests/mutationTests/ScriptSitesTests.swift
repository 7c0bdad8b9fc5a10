import Testing

@testable import mutation

@Suite struct ScriptSitesTests {
  @Test func codeIsToldFromEverythingElse() {
    let source = "a('b'); // c\nd(`e`, /f'/, g / h); /* i */"

    let mask = ScriptMask(Array(source.utf8)).isCode

    let code = zip(source, mask).filter(\.1).map(\.0)
    #expect(String(code) == "a(); \nd(, , g / h); ")
  }

  @Test(arguments: [
    ("  if (a < b) return;", MutantKind.boundary, "  if (a <= b) return;"),
    ("  if (a(b)) c();", .branch, "  if (!(a(b))) c();"),
    ("  for (const a of b) if (c) continue;", .propagation, "  for (const a of b) if (c) ;"),
    ("  a.b(c);", .call, ";"),
    ("  this.a += 2;", .constant, "  this.a += 3;"),
    ("  a = !b;", .operator, "  a = b;"),
  ])
  func aPlaceIsFound(_ line: String, _ kind: MutantKind, _ expected: String) {
    let sites = ScriptSites("function f() {\n\(line)\n}\n").sites

    #expect(sites.contains { $0.kind == kind && $0.after == expected && $0.function == "f" })
  }

  @Test func textsAreLeftAlone() {
    #expect(ScriptSites("const a = 'b < 1';\nconst c = `d && ${e}`;\n").sites.isEmpty)
  }
}
