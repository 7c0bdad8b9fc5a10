import Foundation
import PebblesTestSupport
import Testing

/// Tests of the progress of a boot, as a user sees it who runs `launches` in a terminal.
@Suite(
  .enabled(if: Terminal.isInstalled, Comment(rawValue: Terminal.howToInstall)), .ownThreads,
  .watched)
struct TerminalTests {
  private static let failure = "✗ loadLaunches failed: --fail loadLaunches asked for this"

  /// The arguments for a load that takes longer than any test.
  private static let endless = "--slow loadCores=3600000"

  @Test(arguments: [(80, 24), (200, 50), (40, 8), (20, 3), (12, 2)])
  func theFrameFitsTheTerminal(columns: Int, rows: Int) throws {
    try Terminal.using(columns: columns, rows: rows) { terminal in
      try terminal.launch(Self.endless)
      // One load is over, and what waits for the other is shown if there is room.
      let screen = try terminal.wait("a frame") { screen in
        columns < 40
          ? screen.contains("boot ") && (screen.contains("━") || screen.contains("─"))
          : screen.contains("1 of 3") && screen.contains("▸ loadCores")
            && screen.contains("· refreshScreens  waiting for loadC")
      }

      let lines = screen.split(separator: "\n")
      #expect(lines.allSatisfy { $0.count < columns || $0.hasPrefix("$") })
      #expect(lines.count { $0.contains("boot ") } == 1)
      // Ctrl-C ends it, the frame stays as it was, and the shell goes on below.
      try terminal.press("C-c")
      try terminal.waitForPrompt()
      try terminal.type("echo a''b")
      try terminal.wait("the next line") { $0.contains("\nab\n") || $0.hasPrefix("ab\n") }
      #expect(try terminal.everything.split(separator: "\n").count { $0.contains("boot ") } == 1)
    }
  }

  @Test(arguments: [(80, 24), (30, 4)])
  func whatFailedStaysAndNothingElseDoes(columns: Int, rows: Int) throws {
    try Terminal.using(columns: columns, rows: rows) { terminal in
      try terminal.launch("--slow loadCores=900 --fail loadLaunches --json > out.json")
      try terminal.wait("the summary") { $0.contains("boot: 1 failed, 2 succeeded") }
      try terminal.waitForPrompt()

      let lines = try terminal.everything.split(separator: "\n")
      #expect(lines.count == 4, "\(lines)")
      #expect(lines[1] == Self.failure)
      #expect(lines[2].wholeMatch(of: /boot: 1 failed, 2 succeeded in [0-9.]+ m?s/) != nil)
      #expect(try terminal.folder.text(of: "out.json").contains("\"succeeded\""))
    }
  }

  @Test func aTerminalMayChangeItsSizeMeanwhile() throws {
    try Terminal.using { terminal in
      try terminal.launch(Self.endless + " --fail loadLaunches")
      try terminal.wait("a frame") { $0.contains("▸ loadCores") }
      for (columns, rows) in [(30, 12), (100, 30), (36, 6), (44, 10), (80, 3), (80, 24)] {
        try terminal.resize(columns: columns, rows: rows)
        // Some frames on: the terminal tells of its new size a little later.
        let time = Self.time(in: try terminal.screen)
        let screen = try terminal.wait("a later frame that fits") { screen in
          let lines = screen.split(separator: "\n")
          return Self.time(in: screen) > time + 0.5
            && (lines.last.map { $0.count < columns && $0.contains(/more$|· refreshS/) } ?? false)
        }
        #expect(screen.split(separator: "\n").count <= rows)
      }
      try terminal.press("C-c")
      try terminal.waitForPrompt()
      #expect(try terminal.everything.ranges(of: Self.failure).count == 1)
    }
  }

  @Test func aFrameAtTheTopIsNotKeptAsHistoryWhenTheSizeChanges() throws {
    try Terminal.using { terminal in
      try terminal.launch(Self.endless, as: "clear; ./go")
      try terminal.wait("a frame at the top") { $0.hasPrefix("boot ") }
      for columns in [60, 50, 70, 44, 80] {
        try terminal.resize(columns: columns, rows: 24)
        let time = Self.time(in: try terminal.screen)
        try terminal.wait("a later frame") { Self.time(in: $0) > time + 0.5 }
      }
      let lines = try terminal.everything.split(separator: "\n")
      #expect(lines.count { $0.contains("boot ") } == 1, "\(lines)")
    }
  }

  /// Returns the time shown in the lowest visible frame. On a narrow screen, this is the time of a
  /// pebble.
  private static func time(in screen: String) -> Double {
    screen.matches(of: /([0-9.]+) s/).last.flatMap { Double($0.1) } ?? 0
  }

  @Test func whatIsPrintedComesBelowTheSummary() throws {
    for line in ["./go", "./go | cat"] {
      try Terminal.using { terminal in
        try terminal.launch("--slow loadCores=300", as: line)
        try terminal.waitForPrompt()

        let everything = try terminal.everything
        let summary = try #require(everything.firstRange(of: "boot: 3 succeeded in "))
        let screens = try #require(everything.firstRange(of: "Last launch"))
        #expect(everything.contains("Flights"))
        #expect(summary.upperBound < screens.lowerBound)
        #expect(!everything.contains("▸") && !everything.contains("━"))
      }
    }
  }

  @Test func withoutColoursThereAreNone() throws {
    for (line, isColored) in [("./go", true), ("NO_COLOR=1 ./go", false)] {
      try Terminal.using { terminal in
        try terminal.launch(Self.endless, as: line)
        try terminal.wait("a frame") { $0.contains("▸ loadCores") }

        #expect(try terminal.styled.contains(/\u{1B}\[[0-9;]*3[0-9]/) == isColored)
        try terminal.press("C-c")
        try terminal.waitForPrompt()
      }
    }
  }

  @Test(arguments: ["./go 2> error", "TERM=dumb ./go", "GITHUB_ACTIONS=true ./go 2> error"])
  func withoutATerminalThereAreLines(line: String) throws {
    try Terminal.using { terminal in
      try terminal.launch("--fail loadLaunches --json > out.json", as: line)
      try terminal.waitForPrompt()

      let isFile = line.hasSuffix("error")
      let text = isFile ? try terminal.folder.text(of: "error") : try terminal.everything
      #expect(!text.contains("\u{1B}") && !text.contains("━"))
      #expect(text.contains("loadLaunches failed: --fail loadLaunches asked for this"))
      #expect(text.contains("boot: 1 failed, 2 succeeded in "))
      #expect(text.contains("::group::boot\n") == line.hasPrefix("GITHUB"))
      #expect(text.contains("::error title=boot::") == line.hasPrefix("GITHUB"))
    }
  }
}
