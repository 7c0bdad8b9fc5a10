import Pebbles
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// Tests of pointer actions: brushing, dragging and zooming, and of searches without results.
  @Suite struct PageHandTests {
    private static let count = "document.getElementById('count').textContent"
    private static let empty = "document.getElementById('empty').innerText"

    /// Returns a script that sends pointer events to an element. Each event has a kind and a
    /// distance from the left edge of the element.
    private static func pointer(_ id: String, _ events: String, buttons: Int = 1) -> String {
      """
      (() => {
        const box = document.getElementById('\(id)'), { left, top } = box.getBoundingClientRect();
        box.setPointerCapture = () => {};
        for (const [kind, x] of \(events)) {
          box.dispatchEvent(new PointerEvent('pointer' + kind, { clientX: left + x, bubbles: true,
            clientY: top + 5, pointerId: 1, isPrimary: true, buttons: \(buttons) }));
        }
      })()
      """
    }

    @Test func aBrushEndsWithItsPointerAndMovesNothing() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        let top = "document.getElementById('axis').getBoundingClientRect().top"
        let brush = "document.getElementById('brush').style.width"
        let before = try browser.number(top)

        _ = try browser.value(
          Self.pointer("overview", "[['down', 400], ['move', 600], ['cancel', 600]]"))
        let width = try browser.text(brush)
        _ = try browser.value(Self.pointer("overview", "[['move', 900]]"))
        _ = try browser.value(Self.pointer("overview", "[['down', 0]]"))
        _ = try browser.value(Self.pointer("overview", "[['move', 900]]", buttons: 0))
        _ = try browser.wait("\(Self.count).includes(' to ') || null")

        #expect(try browser.text(brush) == width)
        #expect(try browser.number(top) == before)
        // At an edge, what is zoomed in to and out of again is as it was.
        _ = try browser.value(
          Self.pointer("overview", "[['down', 0], ['move', 300], ['up', 300]]"))
        let edge = try browser.text(brush)
        try browser.press("+", "-")
        #expect(try browser.text(brush) == edge)
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func theGraphIsMovedByAHandAndZoomedByAWheel() throws {
      try Browser.using { browser in
        try browser.open(largeRun(count: 320).page())
        try browser.press("g")
        let place = "document.getElementById('graph').scrollTop"
        let before = try browser.number(place)

        let down = Self.pointer("graph", "[['down', 0]]")
        _ = try browser.value(down)
        _ = try browser.value(
          """
          document.getElementById('graph').dispatchEvent(new PointerEvent('pointermove',
            { clientX: 0, clientY: 9, bubbles: true, buttons: 1, isPrimary: true }))
          """)
        #expect(try browser.number(place) != before)
        #expect(
          try browser.isTrue(
            """
            (() => {
              const width = Number(document.getElementById('picture').getAttribute('width'));
              const event = new WheelEvent('wheel', { ctrlKey: true, deltaY: -100, bubbles: true,
                cancelable: true });
              const isTaken = !document.getElementById('graph').dispatchEvent(event);
              return isTaken && document.getElementById('picture').getAttribute('width') > width;
            })()
            """))
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func whatIsNotThereIsSaidOnceAndSignsAreLookedFor() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        try browser.press("/", "!!!")
        #expect(try browser.text(Self.count) == "0 of 9 pebbles")
        try browser.press("Escape", "g", "/", "nothing")
        #expect(try browser.text(Self.empty).hasPrefix("No pebble matches."))
        #expect(try browser.isTrue("document.getElementById('drawn').hidden"))

        let none = try RecordedRun(
          model: try Pond("none").model(), pebbles: [], makespan: .milliseconds(1))
        try browser.open(none.page())
        #expect(try browser.text(Self.empty) == "This run has no pebbles.")
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func theChainToTheSelectionStaysWhileThatMovesInIt() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page(), fragment: "#pebble=banner")
        let choose = """
          (() => {
            const part = document.getElementById('part');
            part.value = 'picked';
            part.dispatchEvent(new Event('change'));
          })()
          """
        _ = try browser.value(choose)
        let chain = try browser.text(Self.count)
        #expect(chain == "4 of 9 pebbles")

        try browser.press("Up", "Up")

        #expect(try browser.text(Self.count) == chain)
        #expect(try browser.text("location.hash") != "#pebble=banner")
      }
    }

    @Test func aRunOfAnotherPondIsCalledThat() throws {
      let other = Pond("other")
      other.pebble("config") {}
      let earlier = Simulator(try other.model(), SimulationPlan()).run()

      try Browser.using { browser in
        try browser.open(bootRun().page(comparedTo: earlier))
        #expect(
          try browser.text("document.getElementById('verdict').innerText")
            .contains("Compared with a run of another pond, “other”, of "))
      }
    }
  }
}
