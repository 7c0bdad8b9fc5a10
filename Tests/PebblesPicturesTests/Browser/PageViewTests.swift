import Pebbles
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// Tests of the graph, hidden text, tooltips, toggles, what-if bars and links to other pages.
  @Suite struct PageViewTests {
    private static let drawn = "document.getElementById('drawn').innerText"

    @Test func theGraphSaysHowMuchOfThePondItDraws() throws {
      try Browser.using { browser in
        try browser.open(largeRun(count: 1_000).page())
        try browser.press("g")
        #expect(try browser.text(Self.drawn) == "300 of 1,000 pebbles")
        // Its names can be read; what is asked to be fitted is, and in the middle.
        #expect(
          try browser.number(
            "document.querySelector('#picture a rect').getBoundingClientRect().height") > 15)
        try browser.press("z")
        #expect(
          try browser.isTrue(
            """
            (() => {
              const pane = document.getElementById('graph').getBoundingClientRect();
              const box = document.getElementById('picture').getBoundingClientRect();
              const middle = ({ left, right, top, bottom }) =>
                [(left + right) / 2, (top + bottom) / 2];
              const [[x, y], [a, b]] = [middle(pane), middle(box)];
              return box.width <= pane.width && box.height <= pane.height
                && Math.abs(x - a) < 4 && Math.abs(y - b) < 4;
            })()
            """))
        try browser.press("/", "part99")
        #expect(try browser.text(Self.drawn) == "11 of 1,000 pebbles")
        #expect(try browser.number("document.querySelectorAll('#picture a').length") == 11)
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func inASmallGraphWhatIsFoundStandsOut() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        try browser.press("g")
        #expect(try browser.isTrue("document.getElementById('drawn').hidden"))
        try browser.press("/", "show")
        #expect(try browser.number("document.querySelectorAll('#picture a:not(.out)').length") == 2)
        #expect(try browser.text(Self.drawn) == "2 of 9 pebbles stand out")
      }
    }

    @Test func hiddenTextIsClippedHoweverLong() throws {
      let pond = Pond("small")
      pond.pebble("only") {}
      var plan = SimulationPlan()
      plan.failures[0] = String(repeating: "a long error ", count: 150)
      let page = Simulator(try pond.model(), plan).run().page()

      try Browser.using { browser in
        try browser.open(page)
        try browser.press("Down")

        #expect(try browser.number("document.getElementById('status').textContent.length") > 1_000)
        #expect(
          try browser.isTrue(
            """
            (() => {
              const box = document.getElementById('status').getBoundingClientRect();
              return box.width <= 1 && box.height <= 1
                && getComputedStyle(document.getElementById('status')).clipPath === 'inset(50%)';
            })()
            """))
      }
    }

    @Test func whatWouldFailLooksSo() throws {
      try Browser.using { browser in
        try browser.open(bootRun(loginFails: false).page(), fragment: "#pebble=login%2Ftoken")
        let row = "document.querySelector('[aria-selected=true]')"
        #expect(try browser.isTrue("\(row).classList.contains('succeeded')"))

        try browser.press("f")

        #expect(try browser.isTrue("\(row).classList.contains('failed')"))
        #expect(try browser.text("\(row).querySelector('.mark').textContent") == "✗")
        #expect(try browser.text("\(row).querySelector('.label').textContent") == "would fail")
        #expect(
          try browser.isTrue(
            "getComputedStyle(\(row).querySelector('.bar')).backgroundImage !== 'none'"))
        #expect(
          try browser.isTrue(

            """
            [...document.querySelectorAll('.row .label')]
              .some(one => one.textContent === 'would be blocked')
            """
          ))
        try browser.press("f")
        #expect(try browser.isTrue("\(row).classList.contains('succeeded')"))
      }
    }

    @Test func togglesThatAreOffDoNotLookDisabled() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        let graph = "getComputedStyle(document.getElementById('show-graph'))"
        let other = "getComputedStyle(document.getElementById('compare'))"

        #expect(try browser.isTrue("\(graph).color === \(other).color"))
        #expect(try browser.isTrue("\(graph).borderStyle === 'solid'"))
      }
    }

    @Test func nothingThatFailedHasATick() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page(), fragment: "#pebble=showOffline")
        let lines = """
          [...document.querySelectorAll('#detail li')].map(line => line.innerText)
            .filter(text => text.includes('login/token failed')).join()
          """
        #expect(try browser.text(lines) == "• login/token failed")
      }
    }

    @Test func aTipTellsOfABarAndOfANode() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        let tip = "document.getElementById('tip')"
        let over =
          "dispatchEvent(new PointerEvent('pointerover', { bubbles: true, clientX: 500 }))"

        _ = try browser.value("document.querySelector('.failed .bar').\(over)")
        #expect(
          try browser.text("\(tip).textContent").hasPrefix(
            "✗ login/tokenFailed after 40.0 ms: no route"))
        // The pointer may go there, and Esc takes it away.
        _ = try browser.value("\(tip).\(over)")
        #expect(try !browser.isTrue("\(tip).hidden"))
        try browser.press("Escape")
        #expect(try browser.isTrue("\(tip).hidden"))
        try browser.press("g")
        _ = try browser.value("document.querySelector('#picture a').focus()")
        #expect(
          try browser.text("\(tip).textContent").hasPrefix("✓ configSucceeded after 12.0 ms."))
        #expect(try browser.complaints().isEmpty)
      }
    }

    @Test func numbersLeadToOtherPages() throws {
      try Browser.using { browser in
        let links = [
          PageLink("Home", to: "#pebble=config"), PageLink("Not", to: "javascript:alert(1)"),
          PageLink("Boot", to: "#pebble=tour", isCurrent: true),
        ]
        try browser.open(bootRun().page(links: links))
        #expect(
          try browser.text("document.getElementById('site').textContent") == "Home Not Boot")

        try browser.press("2")
        #expect(try browser.text("location.hash") == "#pebble=tour")
        try browser.press("1")
        #expect(try browser.text("location.hash") == "#pebble=config")
        try browser.press("?")
        #expect(try browser.text("document.getElementById('keyList').innerText").contains("Home"))
      }
    }
  }
}
