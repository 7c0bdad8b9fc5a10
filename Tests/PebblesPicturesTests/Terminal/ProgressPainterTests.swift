import Pebbles
import Testing

@testable import PebblesPictures

@Suite struct ProgressPainterTests {
  private let size = TerminalSize(columns: 60, rows: 24)

  @Test func framesChangeInPlaceAndFailuresStayAboveThem() {
    var terminal = SmallTerminal()
    var painter = ProgressPainter(of: "boot", nil, isColored: true)
    terminal.write("$ boot\r\n")

    terminal.write(
      painter.paint(RunStatus(at: 0, [("a", .running(0)), ("b", .waiting("a"))]), in: size))
    #expect(
      terminal.text == """
        $ boot
        boot ───────────────  0 of 2  0.0 s
          ▸ a  0.0 s
          · b  waiting for a

        """)

    terminal.write(
      painter.paint(RunStatus(at: 200, [("a", .failed("no\nroute")), ("b", .blocked)]), in: size))
    terminal.write(
      painter.paint(RunStatus(at: 300, [("a", .failed("no\nroute")), ("b", .blocked)]), in: size))
    #expect(
      terminal.text == """
        $ boot
        ✗ a failed: no⏎route
        boot ━━━━━━━━━━━━━━━  2 of 2  ✗ 1  ⊘ 1  0.3 s

        """)

    terminal.write(
      painter.finish(RunStatus(at: 300, [("a", .failed("no\nroute")), ("b", .blocked)]), in: size))
    #expect(
      terminal.text == """
        $ boot
        ✗ a failed: no⏎route
        boot: 1 failed, 1 blocked in 300 ms

        """)
  }

  @Test func aFrameThatIsThereIsNotWrittenAgain() {
    var painter = ProgressPainter(of: "boot", nil, isColored: false)
    let status = { RunStatus(at: $0, [("a", .running(0))]) }

    let first = painter.paint(status(110), in: size)
    #expect(first.hasPrefix("\u{1B}[?2026h"))
    #expect(first.hasSuffix("\u{1B}[?2026l"))
    #expect(painter.paint(status(190), in: size) == "")
    #expect(painter.paint(status(210), in: size) != "")
  }

  @Test func aTerminalThatBecameNarrowerIsClearedAsFarAsItsLinesReach() {
    var painter = ProgressPainter(of: "boot", nil, isColored: false)
    let status = RunStatus(at: 0, [("a", .running(0)), ("b", .waiting("some", "others"))])
    _ = painter.paint(status, in: size)

    let narrow = painter.paint(status, in: TerminalSize(columns: 20, rows: 24))

    // Lines of 35, 12 and 28 columns take two, one and two rows of 20.
    // The terminal may remember that these were one, and is to forget it before it is written to.
    #expect(narrow.contains("\u{1B}[5A\r\u{1B}[K\u{1B}[B\u{1B}[J\u{1B}[A"))
    let later = RunStatus(at: 5_000, [("a", .running(0))])
    let again = painter.paint(later, in: TerminalSize(columns: 20, rows: 24))
    #expect(again.contains("\u{1B}[3A\r") && !again.contains("\r\u{1B}[K\u{1B}[B"))
  }

  @Test(arguments: [(7, ""), (13, "\u{1B}[K"), (14, ""), (15, "\u{1B}[K")])
  func aLineThatFillsTheTerminalKeepsItsLastLetter(_ columns: Int, _ erasing: String) {
    var painter = ProgressPainter(of: "boot", nil, isColored: false)
    let status = RunStatus(at: 0, [("a", .failed("no"))])

    let text = painter.paint(status, in: TerminalSize(columns: columns, rows: 24))

    #expect(text.contains("✗ a failed: no\(erasing)\r\n"))
  }

  @Test func aStormOfFailuresIsCounted() {
    var painter = ProgressPainter(of: "boot", nil, isColored: false)
    var terminal = SmallTerminal()

    terminal.write(
      painter.paint(
        RunStatus(at: 0, (0..<1_000).map { ("p\($0)", .failed("no")) }), in: size))

    #expect(terminal.text.split(separator: "\n").count == 22)
    #expect(terminal.text.contains("\n✗ 980 more failed\n"))
  }

  @Test func withoutATerminalThereIsALineNowAndThen() {
    var log = ProgressLog(of: "boot", isOnGitHub: false)
    let status = { RunStatus(at: $0, [("a", .succeeded), ("b c", .running(0))]) }

    #expect(log.tell(status(9_900)) == "")
    #expect(log.tell(status(10_000)) == "boot: 1 of 2 after 10 s; running: \"b c\"\n")
    #expect(log.tell(status(10_100)) == "")
    let failed = RunStatus(at: 10_200, [("a", .succeeded), ("b c", .failed("no route"))])
    #expect(log.tell(failed) == "boot: \"b c\" failed: no route\n")
    #expect(log.finish(failed) == "boot: 1 failed, 1 succeeded in 10.2 s\n")
  }

  @Test func onGitHubFailuresAreAnnotationsInAGroup() {
    var log = ProgressLog(of: "my: boot", isOnGitHub: true)
    let status = RunStatus(at: 100, [("a", .failed("100%\nno"))])

    #expect(
      log.tell(status) == """
        ::group::my: boot
        ::error title=my%3A boot::a failed: 100%25⏎no

        """)
    #expect(log.tell(status) == "")
    #expect(log.finish(status) == "::endgroup::\nmy: boot: 1 failed in 100 ms\n")
  }

  @Test(arguments: [
    ("::error::x", "\\u{3A}:error::x"), (" ::error::x", " \\u{3A}:error::x"),
    ("::\u{301}x", "\\u{3A}:\u{301}x"), ("a ##[error]x", "a #\\u{23}[error]x"),
    ("###[\u{301}", "##\\u{23}[\u{301}"), ("a::b #[x]", "a::b #[x]"),
  ])
  func onGitHubANameInALineIsNoCommand(name: String, shown: String) {
    var log = ProgressLog(of: name, isOnGitHub: true)
    let status = RunStatus(at: 10_000, [("a", .running(0))])

    #expect(
      log.tell(status) == """
        ::group::\(name)
        \(shown): 0 of 1 after 10 s; running: a

        """)
    let end = RunStatus(at: 10_000, [("a", .succeeded)])
    #expect(log.finish(end) == "::endgroup::\n\(shown): 1 succeeded in 10.0 s\n")
    var plain = ProgressLog(of: name, isOnGitHub: false)
    #expect(plain.tell(status) == "\(name): 0 of 1 after 10 s; running: a\n")
  }

  @Test func annotationsAreOnOneLine() {
    let annotation = Annotation(level: .error, title: "a:\u{301}b,\r\n", message: "100%\r\nno\n")

    #expect(annotation.command == "::error title=a%3A\u{301}b%2C%0D%0A::100%25%0D%0Ano%0A")
  }
}
