import Testing
import TrackerTestSupport

@testable import People
@testable import PeoplePage

/// Tests for a list whose height exceeds the range of its scroll bar.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)), .serialized,
  .timeLimit(.minutes(20)))
struct LongListTests {
  /// An expression for the numbers, names and positions of all existing rows, from top to bottom.
  private static let rows = """
    (() => {
      const top = document.getElementById('rows').getBoundingClientRect().top;
      return [...document.querySelectorAll('.row:not([hidden])')]
        .sort((one, other) => one.place - other.place)
        .map(row => [row.place, row.children[0].textContent,
          row.getBoundingClientRect().top - top, row.getBoundingClientRect().bottom - top]);
    })()
    """
  private static let isFilled = """
    document.querySelectorAll('.row:not([hidden])').length > 0
      && document.querySelectorAll('.row.absent:not([hidden])').length === 0
    """
  private static let height = "document.getElementById('rows').clientHeight"

  private struct Row {
    let place: Int
    let name: String
    let top: Double
    let bottom: Double
  }

  private func rows(_ browser: Browser) async throws -> [Row] {
    try await browser.wait(Self.isFilled)
    return try await drawnRows(browser)
  }

  /// Returns the rows that exist, filled or not.
  private func drawnRows(_ browser: Browser) async throws -> [Row] {
    try await browser.value(Self.rows).elements.map { row in
      let parts = row.elements
      return Row(
        place: Int(parts[0].number ?? -1), name: parts[1].text ?? "",
        top: parts[2].number ?? .nan, bottom: parts[3].number ?? .nan)
    }
  }

  /// Expects the rows to follow each other in the list and on the page, and to fill the view.
  private func expectToBeInOrder(_ rows: [Row], height: Double, _ comment: Comment) {
    for (one, next) in zip(rows, rows.dropFirst()) {
      #expect(next.place == one.place + 1 && abs(next.top - one.bottom) < 1, comment)
    }
    #expect(rows.allSatisfy { $0.name == People.many[$0.place].name }, comment)
    #expect((rows.first?.top ?? .nan) <= 0, comment)
    #expect((rows.last?.bottom ?? .nan) >= height - 1, comment)
  }

  @Test func everyPartOfTheListIsReachedByTheScrollBar() async throws {
    try await PeopleServer.using(PeopleService(.many)) { server in
      try await Browser.using { browser in
        try await browser.open("\(server.address)/people")
        let height = try await browser.number(Self.height)
        var last = -1
        for scroll in [0, 150_000, 199_990, 1_000_000, 2_200_000, 3_700_000, 3_950_000, 5_000_000] {
          _ = try await browser.value("document.getElementById('rows').scrollTop = \(scroll)")
          try await browser.wait("true")
          let rows = try await rows(browser)
          expectToBeInOrder(rows, height: height, "at \(scroll)")
          let first = try #require(rows.first { $0.bottom > 0 }).place
          #expect(first > last, "at \(scroll)")
          last = first
        }
        let end = try await rows(browser)
        #expect(end.last?.place == 119_999)
        #expect(try await browser.complaints().isEmpty)
      }
    }
  }

  /// Checks the scrolled distance in a wide and in a narrow window. In the narrow window, many rows
  /// turn out to be taller than was assumed before they were drawn.
  @Test(arguments: [1_440, 390])
  func theWheelMovesByWhatItIsTurned(width: Int) async throws {
    try await PeopleServer.using(PeopleService(.many)) { server in
      try await Browser.using { browser in
        try await browser.resize(width: width, height: 900)
        try await browser.open("\(server.address)/people")
        let height = try await browser.number(Self.height)
        for (start, turns) in [
          (0, [300, 300, -300]), (2_000_000, [-200, -200, -200, 200]),
          (5_000_000, [-200, -200, 100]),
        ] {
          _ = try await browser.value("document.getElementById('rows').scrollTop = \(start)")
          try await browser.wait("true")
          for turn in turns {
            let seen = try #require(try await rows(browser).first { $0.bottom > height / 2 })
            try await browser.scroll(by: turn, over: "#rows")
            try await browser.wait(
              """
              (rows => {
                const row = rows.find(([place]) => place === \(seen.place));
                return row && Math.abs(row[2] - \(seen.top - Double(turn))) < 2;
              })(\(Self.rows))
              """)
            expectToBeInOrder(try await rows(browser), height: height, "\(turn) from \(start)")
          }
        }
      }
    }
  }

  /// Checks that the row being read does not jump when nearby rows change height. They do if the
  /// user scrolls past the rows that were drawn in advance, or if the content of a row arrives
  /// after the row was drawn.
  @Test func whatIsReadStaysWhereItIs() async throws {
    try await PeopleServer.using(PeopleService(.many)) { server in
      try await Browser.using { browser in
        try await browser.resize(width: 390, height: 900)
        try await browser.open("\(server.address)/people")
        _ = try await browser.value("document.getElementById('rows').scrollTop = 2000000")
        try await browser.wait("true")
        _ = try await rows(browser)
        _ = try await browser.value(Self.holdRequests)

        // Up to where nothing has come yet.
        for _ in 0..<100 where try await browser.isTrue(Self.isFilled) {
          let read = try #require(try await rows(browser).first { $0.top >= 0 })
          _ = try await browser.value("document.getElementById('rows').scrollTop -= 450")
          try await browser.wait("true")
          #expect(abs(try await top(of: read, browser) - (read.top + 450)) < 2, "\(read)")
        }
        let read = try #require(
          try await drawnRows(browser).first { $0.top >= 0 && $0.name != "…" })
        _ = try await browser.value("(held.forEach(release => release()), true)")
        _ = try await rows(browser)

        #expect(abs(try await top(of: read, browser) - read.top) < 2, "\(read)")
      }
    }
  }

  /// A script that holds back every later request until all functions in `held` are called.
  private static let holdRequests = """
    (() => {
      const { fetch } = window;
      window.held = [];
      window.fetch = (...call) =>
        new Promise(release => held.push(release)).then(() => fetch(...call));
    })()
    """

  private func top(of row: Row, _ browser: Browser) async throws -> Double {
    try await drawnRows(browser).first { $0.place == row.place }?.top ?? .nan
  }

  @Test func afterTheWheelTheScrollBarIsWhereItBelongs() async throws {
    try await PeopleServer.using(PeopleService(.many)) { server in
      try await Browser.using { browser in
        try await browser.open("\(server.address)/people")
        let (bar, first) = ("document.getElementById('rows').scrollTop", "(\(Self.rows))[0][0]")
        _ = try await browser.value("\(bar) = 2000000")
        try await browser.wait("true")
        let start = try await browser.number(first)
        for _ in 0..<10 { try await browser.scroll(by: 500, over: "#rows") }
        // A pixel of the bar is more than one of the list.
        try await browser.wait("\(first) > \(start + 100) && \(bar) < 2004500")
        let (place, scroll) = (try await browser.number(first), try await browser.number(bar))

        for jump in ["0", "\(scroll)"] {
          _ = try await browser.value("\(bar) = \(jump)")
          try await browser.wait("true")
        }
        #expect(abs(try await browser.number(first) - place) <= 2)
      }
    }
  }
}
