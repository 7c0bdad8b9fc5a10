import Foundation
import Testing
import TrackerTestSupport

@testable import People
@testable import PeoplePage

/// A measurement of the time that the browser's main thread takes to scroll through 500,000 people.
/// Other work on the machine hardly affects this time.
@Suite(
  .enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)),
  .enabled(
    if: ProcessInfo.processInfo.environment["PEOPLE_FIGURES"] != nil,
    "Figures are taken with PEOPLE_FIGURES=1 in the environment"),
  .timeLimit(.minutes(30)))
struct PeopleFigures {
  @Test func aFrameOfScrollingIsQuick() async throws {
    let service = PeopleService(try People(generating: 500_000, seed: 1))
    try await PeopleServer.using(service) { server in
      try await Browser.using(height: 1_000) { browser in
        try await browser.open("\(server.address)/people")
        let frames = 200.0
        let scrolling = try await browser.mainThreadTime {
          try await browser.wait(Self.scrolling(by: "440", "frames"))
        }
        let jumping = try await browser.mainThreadTime {
          try await browser.wait(Self.scrolling(by: "19000", "jumps"))
        }
        try await browser.press("End")
        try await browser.wait(
          "document.querySelector('.row[aria-selected=true]:not(.absent)')?.place === 499999")
        print(
          """
          a frame that scrolls by 10 rows \(Self.text(scrolling / frames)) ms, one that jumps to \
          another page \(Self.text(jumping / frames)) ms
          """)
        print(try await Self.requestTimes(server))
        #expect(scrolling / frames < 8 && jumping / frames < 8)
        #expect(try await browser.complaints().isEmpty)
      }
    }
  }

  /// Measures whole requests over the loopback device, including JSON coding, and returns a string
  /// with their times.
  private static func requestTimes(_ server: PeopleServer) async throws -> String {
    let clock = ContinuousClock()
    var (searches, pages): ([Duration], [Duration]) = ([], [])
    for revision in 1...15 {
      for (name, isCounted) in [("", false), ("a", true)] {
        let number = JSONValue.number(Double(2 * revision + (isCounted ? 1 : 0)))
        let time = try await clock.measure {
          let answer = try await server.post(
            "/people/search", ["visitor": "figures-1", "revision": number, "name": .string(name)])
          #expect(answer.status == 200)
        }
        if isCounted { searches.append(time) }
      }
      pages.append(
        try await clock.measure {
          let answer = try await server.get(
            "/people/rows?visitor=figures-1&revision=\(2 * revision + 1)&from=9000&count=200")
          #expect(answer.status == 200)
        })
    }
    let (search, page) = (searches.sorted()[7], pages.sorted()[7])
    return """
      over HTTP, medians of 15: another question \(text(search / .milliseconds(1))) ms, a page of \
      200 rows \(text(page / .milliseconds(1))) ms
      """
  }

  private static func text(_ milliseconds: Double) -> String {
    milliseconds.formatted(.number.precision(.fractionLength(1)))
  }

  private static func scrolling(by step: String, _ counter: String) -> String {
    """
    (() => {
      document.getElementById('rows').scrollTop += \(step);
      return (window.\(counter)10 = (window.\(counter)10 ?? 0) + 1) >= 200;
    })()
    """
  }
}
