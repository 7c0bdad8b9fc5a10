import Testing

@Suite struct LengthRuleTests {
  @Test func aFileMayHaveFourHundredLines() {
    let full = SourceFile(path: "A.swift", text: String(repeating: "\n", count: 400))
    let over = SourceFile(path: "A.swift", text: String(repeating: "\n", count: 401))

    #expect(FileLengthRule().violations(in: full).isEmpty)
    #expect(
      FileLengthRule().violations(in: over).map(\.description)
        == ["A.swift:401: the file has 401 lines, over 400; split it by topic"])
  }

  @Test func aLineMayHaveAHundredColumns() {
    let full = String(repeating: "é", count: 100)
    let file = SourceFile(path: "A.swift", text: "\(full)\n\(full)+\n")

    #expect(
      LineLengthRule().violations(in: file).map(\.description)
        == ["A.swift:2: the line has 101 columns, over 100; break it"])
  }

  @Test(arguments: [
    ("func load(_ f: () -> Void = { }) async throws -> [Int] where T: P {", "load"),
    ("static func == (a: T, b: T) -> Bool {", "=="),
    ("init?() {", "init"),
    ("deinit {", "deinit"),
    ("subscript(index: Int) -> Int {", "subscript"),
    ("var total: Int {", "total"),
    ("func first()\n  -> @Sendable () -> Void\n{", "first"),
  ])
  func aFunctionMayHaveSeventyLines(_ opening: String, _ name: String) {
    let openingLines = opening.split(separator: "\n").count
    let body = String(repeating: "  f(\"}\") // }\n", count: 70 - openingLines - 1)
    let full = SourceFile(path: "A.swift", text: "\(opening)\n\(body)}\n")
    let over = SourceFile(path: "A.swift", text: "\(opening)\n\(body)\n}\n")

    #expect(FunctionLengthRule().violations(in: full).isEmpty)
    #expect(
      FunctionLengthRule().violations(in: over).map(\.description)
        == ["A.swift:1: \(name) has 71 lines, over 70; make it two functions"])
  }

  @Test(arguments: [
    "protocol P {\n  func a()\n  var b: Int\n  init()\n}\nenum E {",
    "struct S {\n  var a: Int\n  var b = 1\n  init() { self.init(1) }\n",
    "extension S {\n  func a() {}\n",
  ])
  func onlyWhatBelongsToAFunctionCounts(_ opening: String) {
    let text = opening + String(repeating: "\n", count: 100) + "}\n"

    #expect(FunctionLengthRule().violations(in: SourceFile(path: "A.swift", text: text)).isEmpty)
  }
}
