import Pebbles
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// Tests of the rows that are shown: those of a range of time, in groups, and in lanes.
  @Suite struct PageRowTests {
    private static let count = "document.getElementById('count').textContent"
    private static let names = """
      [...document.querySelectorAll('.row:not([hidden])')]
        .map(row => [row.getBoundingClientRect().top, row.querySelector('.text').textContent])
        .sort((one, other) => one[0] - other[0]).map(([, name]) => name).join()
      """
    private static let picked = "document.querySelector('[aria-selected=true] .text')?.textContent"

    /// Returns a script that selects a range of the overview, like a drag with a mouse. The ends of
    /// the range are fractions of the width.
    private static func brush(_ from: Double, _ to: Double) -> String {
      """
      (() => {
        const box = document.getElementById('overview');
        const { left, top, width } = box.getBoundingClientRect();
        box.setPointerCapture = () => {};
        const send = (type, part) => box.dispatchEvent(new PointerEvent(type,
          { clientX: left + part * width, clientY: top + 5, bubbles: true, pointerId: 1,
            isPrimary: true, buttons: 1 }));
        send('pointerdown', \(from));
        send('pointermove', \(to));
        send('pointerup', \(to));
      })()
      """
    }

    @Test func rowsFollowTheBrush() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        _ = try browser.value(Self.brush(0.9, 1))
        _ = try browser.wait("\(Self.count).includes(' of ') || null")

        #expect(try browser.text(Self.count) == "3 of 9 pebbles, 123 ms to 137 ms")
        #expect(try browser.text(Self.names) == "cacheÉtagère,first,second")
        // Each of them has something in sight.
        #expect(
          try browser.isTrue(
            """
            [...document.querySelectorAll('.row:not([hidden]) .lane')].every(lane => {
              const box = lane.getBoundingClientRect();
              return [...lane.querySelectorAll('.bar, .dot, .wait')].filter(one => !one.hidden)
                .map(one => one.getBoundingClientRect())
                .some(part => part.right >= box.left && part.left <= box.right);
            })
            """))
        // Esc takes the search away first, then the range.
        try browser.press("/", "cache")
        #expect(try browser.text(Self.count).hasPrefix("1 of 9 pebbles, "))
        try browser.press("Escape")
        #expect(try browser.text(Self.count).hasPrefix("3 of 9 pebbles, "))
        try browser.press("Escape")
        #expect(try browser.text(Self.count) == "9 pebbles")
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func manyPebblesComeInGroupsThatOpenAndClose() throws {
      try Browser.using { browser in
        try browser.open(largeRun(count: 1_000).page())
        #expect(try browser.text(Self.names) == "✗ layer1,✗ layer2,✗ layer3,✗ layer4")
        #expect(
          try browser.text("document.querySelector('.row .label').textContent")
            .hasPrefix("3 failed, 297 succeeded in "))
        #expect(try browser.text(Self.count) == "1,000 pebbles")

        // By a click, by Enter and by arrows.
        try browser.click(".row")
        #expect(try browser.text(Self.names).hasPrefix("✗ layer1,layer1/part"))
        #expect(try browser.text("document.querySelector('.row').ariaExpanded") == "true")
        try browser.press("Enter")
        #expect(try browser.text(Self.names) == "✗ layer1,✗ layer2,✗ layer3,✗ layer4")
        try browser.press("Right", "Down")
        #expect(try browser.text(Self.picked).hasPrefix("layer1/part"))
        try browser.press("Left")
        #expect(try browser.text(Self.picked) == "✗ layer1")
        try browser.press("Left")
        #expect(try browser.text("document.querySelector('.row').ariaExpanded") == "false")
        #expect(
          try browser.text("document.getElementById('detail').innerText").hasPrefix("layer1\n"))

        // What a link or a key leads to is opened; what is found is not hidden.
        try browser.press("n")
        #expect(try browser.text(Self.picked).hasPrefix("layer1/part"))
        try browser.press("/", "part99")
        #expect(try browser.text(Self.count) == "11 of 1,000 pebbles")
        #expect(
          try browser.number("document.querySelectorAll('.row:not([hidden],.group)').length") == 11)
        try browser.press("Escape", "o")
        #expect(try browser.number("document.querySelectorAll('.group').length") == 0)
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func inLanesPebblesStandOneAfterTheOther() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        try browser.press("l")

        #expect(
          try browser.number("document.querySelectorAll('.row.lanes:not([hidden])').length") < 9)
        try browser.press("Down")
        #expect(try browser.text("location.hash") == "#pebble=config")
        try browser.press("End")
        #expect(try browser.text("location.hash") != "#pebble=config")
        // A click in a lane selects what is there.
        _ = try browser.value(
          """
          (() => {
            const lane = document.querySelector('.row.lanes .lane');
            const box = lane.getBoundingClientRect();
            lane.querySelector('canvas').dispatchEvent(new MouseEvent('click',
              { clientX: box.left + 5, clientY: box.top + 5, bubbles: true }));
          })()
          """)
        #expect(try browser.text("location.hash") == "#pebble=config")
        try browser.press("l")
        #expect(try browser.number("document.querySelectorAll('.row.lanes').length") == 0)
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func attemptsAndWaitingAreInTheBarAndAServiceIsUp() throws {
      let pond = Pond("parts")
      pond.service("web") { ready in ready() }
      pond.pebble("flaky") {}
      let times = [Duration.zero, .milliseconds(10), .milliseconds(20), .milliseconds(40)]
      let run = try RecordedRun(
        model: try pond.model(),
        pebbles: [
          RecordedPebble(
            name: "web", outcome: .succeeded, ready: times[0], started: times[1],
            finished: times[2],
            attempts: [RecordedAttempt(started: times[1], finished: times[2])]),
          RecordedPebble(
            name: "flaky", outcome: .succeeded, ready: times[0], started: times[0],
            finished: times[3],
            attempts: [
              RecordedAttempt(started: times[0], finished: times[1], error: "no"),
              RecordedAttempt(started: times[2], finished: times[3]),
            ]),
        ], makespan: times[3])

      try Browser.using { browser in
        try browser.open(
          run.from(RunOrigin(started: .seconds(0), host: "<b>", version: "2")).page())

        #expect(
          try browser.text(

            """
            [...document.querySelectorAll('.row')].map(row =>
              [...row.querySelectorAll('.bar i, .wait, .tail')].filter(part => !part.hidden)
                .map(part => part.className).join(' ')).join()
            """
          )
            == "tried pause,tail wait")
        #expect(
          try browser.text(
            "document.querySelector('.row:has(.tail:not([hidden])) .label').textContent")
            == "ready after 10.0 ms, still up")
        try browser.press("Down", "Down")
        #expect(
          try browser.text("document.getElementById('status').textContent").hasPrefix(
            "web. Ready after"))
        #expect(
          try browser.text("document.getElementById('origin').textContent")
            == "1970-01-01 00:00:00 UTC, on <b>, version 2")
        #expect(
          try browser.text("document.getElementById('legendList').innerText")
            .contains("failed attempt, pause"))
        #expect(try browser.complaints().isEmpty)
      }
    }
  }
}
