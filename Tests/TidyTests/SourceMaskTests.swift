import Testing

@Suite struct SourceMaskTests {
  @Test(arguments: [
    (#"let a = "try! {" + b"#, #"let a = "      " + b"#),
    (#"let a = "\" { \\" + b"#, #"let a = "       " + b"#),
    (##"let a = #" " \{ "# + b"##, ##"let a = #"      "# + b"##),
    ("a // } \"\nb", "a       \nb"),
    ("a /* } /* { */ \" */ b", "a                   b"),
    ("func `a { b`() {}", "func        () {}"),
    ("let r = #/[\"{]+/# + b", "let r = #/     /# + b"),
    ("a / b / c", "a / b / c"),
  ])
  func stringsAndCommentsAreBlank(_ source: String, _ code: String) {
    #expect(SourceMask.masking(source) == code)
  }

  @Test func interpolatedCodeIsKept() {
    let source = #"let a = "{ \(f("{", (1))) }" + b"#

    #expect(SourceMask.masking(source) == #"let a = "  \(f(" ", (1)))  " + b"#)
  }

  @Test func interpolationInARawStringNeedsItsFence() {
    let source = ##"let a = #"\({) \#(c)"# + b"##

    #expect(SourceMask.masking(source) == ##"let a = #"     \#(c)"# + b"##)
  }

  @Test func linesOfAMultilineStringStayInPlace() {
    let source = "let a = \"\"\"\n  \" {\n  \"\"\"\nlet b = 1"

    #expect(SourceMask.masking(source) == "let a = \"\"\"\n     \n  \"\"\"\nlet b = 1")
  }

  @Test func anUnclosedStringEndsWithItsLine() {
    #expect(SourceMask.masking("let a = \"{\nlet b") == "let a = \" \nlet b")
  }

  @Test(arguments: ["\"", "\"\\", "/*", "\"\"\"", "`", "#", "\"\\(", ")"])
  func unfinishedSourceKeepsItsLength(_ source: String) {
    #expect(SourceMask.masking(source).count == source.count)
  }
}
