import PebblesTestSupport
import Testing

@testable import PebblesPictures

extension BrowserTests {
  /// Tests that the page follows the Web Content Accessibility Guidelines in each of its states,
  /// with light and dark colors.
  @Suite struct PageAccessTests {
    /// The states of the page, each with the keys that lead to it.
    private static let states: [(name: String, keys: [String])] = [
      ("as it comes", []), ("with a failure selected", ["n"]),
      ("with what if", ["n", "f"]), ("as a graph", ["g", "n", "f"]), ("with the keys", ["?"]),
      ("with nothing found", ["/", "nothing"]), ("with a message", ["/", "tour", "Tab", "n"]),
      ("in groups", ["o", "Down", "Left"]), ("in lanes", ["l", "Down"]),
    ]

    @Test(arguments: ["light", "dark"])
    func everyTextCanBeReadOnWhatIsBehindIt(scheme: String) throws {
      try Browser.using { browser in
        try browser.emulate("prefers-color-scheme", scheme)
        // A plain run looks at each state in one of the two.
        let states = Self.states.enumerated().filter { place, _ in
          Thoroughness.isFull || place.isMultiple(of: 2) == (scheme == "light")
        }
        for (state, keys) in states.map(\.element) {
          try browser.open(
            bootRun().page(comparedTo: state == "with what if" ? bootRun(loginFails: false) : nil))
          for key in keys { try browser.press(key) }

          // 4.5 to 1, by 1.4.3.
          let found = try browser.text("\(Self.contrasts)()")
          #expect(found.hasSuffix("all others have contrast"), "\(state), \(scheme): \(found)")
        }
        // What stands out too little would be found.
        try browser.open(bootRun().page())
        _ = try browser.value("document.getElementById('count').style.color = 'var(--background)'")
        #expect(try browser.text("\(Self.contrasts)()").hasPrefix("9 pebbles: "))
      }
    }

    /// A script that returns every visible text that has too little contrast with the color behind
    /// its center.
    private static let contrasts = """
      (() => {
        const parts = text => (text.match(/[\\d.]+/g) ?? []).map(Number);
        const painted = element => {
          const style = getComputedStyle(element), isShape = element instanceof SVGElement;
          const fill = element.tagName === 'rect' ? style.fill : '';
          const colour = isShape ? fill : style.backgroundColor;
          if (!colour || colour === 'none') return [0, 0, 0, 0];
          const [red, green, blue, alpha = 1] = parts(colour);
          return [red, green, blue, alpha];
        };
        const behind = (x, y, own) => {
          let mix = [0, 0, 0], left = 1;
          for (const element of document.elementsFromPoint(x, y)) {
            if (own.tagName === 'text' && element === own) continue;
            const [red, green, blue, alpha] = painted(element);
            [red, green, blue].forEach((part, k) => { mix[k] += left * alpha * part; });
            left *= 1 - alpha;
          }
          return left > 0.01 ? null : mix;
        };
        const luminance = colour => [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => {
          const part = colour[k] / 255;
          return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        }, 0);
        const wrong = [], seen = [];
        const judge = (text, ink, paper) => {
          if (!paper) return wrong.push(`${text}: nothing is behind it`);
          const [dark, light] = [luminance(ink), luminance(paper)].sort((one, two) => one - two);
          const contrast = (light + 0.05) / (dark + 0.05);
          seen.push(text);
          if (contrast < 4.5) wrong.push(`${text}: ${contrast.toFixed(2)} of ${ink} on ${paper}`);
        };
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const node = walker.currentNode, owner = node.parentElement;
          const text = node.textContent.trim();
          if (!text || !owner.checkVisibility({ visibilityProperty: true })) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          for (const box of [...range.getClientRects()].slice(0, 2)) {
            const x = box.left + box.width / 2, y = box.top + box.height / 2;
            const hit = document.elementFromPoint(x, y);
            // Out of sight, cut off, or behind something else, such as the dialog.
            if (!hit || box.width < 1) continue;
            const isSeen = hit === owner || owner.contains(hit) || hit.contains(owner)
              || getComputedStyle(owner).pointerEvents === 'none'
              || hit.closest('a, .bar') && hit.parentElement.contains(owner);
            if (!isSeen || !document.querySelector('dialog[open]')?.contains(owner)
              && document.querySelector('dialog[open]')) continue;
            const style = getComputedStyle(owner);
            const ink = parts(owner instanceof SVGElement ? style.fill : style.color);
            judge(text, ink, behind(x, y, owner));
          }
        }
        for (const field of document.querySelectorAll('input[type=search], select')) {
          const style = getComputedStyle(field), hint = getComputedStyle(field, '::placeholder');
          if (document.querySelector('dialog[open]')) break;
          judge(field.id, parts(style.color), parts(style.backgroundColor));
          judge(`hint of ${field.id}`, parts(hint.color), parts(style.backgroundColor));
        }
        if (seen.length < 15) wrong.push(`only ${seen.length} texts were found`);
        return [...wrong, 'all others have contrast'].join('; ');
      })
      """

    @Test func everythingHasARoleThatThereIsAndANameIfItNeedsOne() throws {
      let named: Set = [
        "button", "searchbox", "combobox", "link", "treegrid", "dialog", "region", "navigation",
        "search", "complementary", "img", "group", "heading", "option", "row", "rowheader",
      ]
      try Browser.using { browser in
        for (state, keys) in Self.states {
          try browser.open(bootRun().page())
          for key in keys { try browser.press(key) }

          let tree = try browser.command("Accessibility.getFullAXTree")
          var count = 0
          for node in tree["nodes"] as? [[String: Any]] ?? [] where node["ignored"] as? Bool != true
          {
            func value(_ member: String) -> String {
              (node[member] as? [String: Any])?["value"] as? String ?? ""
            }
            guard named.contains(value("role")) else { continue }
            count += 1
            let isNamed = value("name").contains { !$0.isWhitespace }
            // Groups of a picture are named by what is in them.
            let isPlain = value("role") == "group" && state == "as a graph"
            #expect(isNamed || isPlain, "\(state): a \(value("role")) has no name")
          }
          #expect(count > 2, "\(state)")
          #expect(try browser.text("\(Self.mistakes)()") == "", "\(state)")
        }
      }
    }

    /// A script that returns the mistakes in roles, references and the focus order.
    private static let mistakes = """
      (() => {
        const wrong = [], all = [...document.querySelectorAll('*')];
        const roles = ['treegrid', 'row', 'tooltip', 'rowgroup', 'rowheader', 'gridcell',
          'search', 'group',
          'region', 'status', 'img'];
        const parents = {
          row: 'rowgroup', rowgroup: 'treegrid', rowheader: 'row', gridcell: 'row',
        };
        const ids = new Set();
        for (const element of all) {
          const role = element.getAttribute('role'), tell = text =>
            wrong.push(`<${element.tagName} id=${element.id}> ${text}`);
          if (role !== null && !roles.includes(role)) tell(`has the role ${role}`);
          if (parents[role] && element.parentElement.getAttribute('role') !== parents[role]) {
            tell(`is a ${role} in no ${parents[role]}`);
          }
          if (element.id && ids.has(element.id)) tell('has an id that is taken');
          ids.add(element.id);
          if (element.tabIndex > 0) tell('jumps the queue');
          if (element.closest('[aria-hidden=true]') && element.tabIndex >= 0) tell('is hidden');
          for (const name of ['aria-labelledby', 'aria-controls', 'aria-activedescendant']) {
            const id = element.getAttribute(name);
            if (id && !document.getElementById(id)) tell(`names ${id}, which is not there`);
          }
          const level = /^H(\\d)$/.exec(element.tagName)?.[1];
          if (level > 1 && !all.some(one => one.tagName === `H${level - 1}`)) tell('skips a level');
        }
        if (document.querySelectorAll('[role=status]').length !== 1) wrong.push('no live region');
        if (!document.documentElement.lang || !document.title) wrong.push('no language or title');
        return wrong.join('; ');
      })
      """

    @Test(arguments: Thoroughness.isFull ? ["light", "dark"] : ["dark"])
    func allIsReachedByKeysAndFocusIsSeen(scheme: String) throws {
      try Browser.using { browser in
        try browser.emulate("prefers-color-scheme", scheme)
        try browser.open(bootRun().page(), fragment: "#pebble=login%2Ftoken")
        var reached: [String] = []
        for _ in 0..<60 {
          try browser.press("Tab")
          let stop = try browser.text(Self.focused)
          if stop == reached.first { break }
          reached.append(stop)
          #expect(stop.hasSuffix("outlined"), "\(stop)")
        }

        for id in [
          "show-timeline", "show-graph", "compare", "help", "text", "part", "order", "rows",
          "groups", "lanes", "detail", "suppose",
        ] {
          #expect(reached.contains { $0.hasPrefix("\(id) ") }, "\(id) of \(reached)")
        }
        for word in ["succeeded", "failed", "blocked", "not-needed"] {
          #expect(reached.contains { $0.hasPrefix("\(word) ") }, "\(word) of \(reached)")
        }
        // Nothing holds the focus: behind the last comes the first.
        #expect(reached.count < 60)
        // And what is reached can be used without a mouse.
        try browser.focus("suppose")
        try browser.press("Enter")
        #expect(try browser.isTrue("document.getElementById('answer') !== null"))
        try browser.focus("help")
        try browser.press("Enter")
        #expect(
          try browser.isTrue("document.getElementById('keys').contains(document.activeElement)"))
        try browser.press("Escape")
        #expect(try browser.text("document.activeElement.id") == "help")
        try browser.focus("show-graph")
        try browser.press("Enter")
        try browser.press("Tab")
        #expect(try browser.isTrue("!document.getElementById('graph').hidden"))
        _ = try browser.value("document.querySelector('#picture a').focus()")
        try browser.press("Enter")
        #expect(try browser.text("location.hash") == "#pebble=config")
        #expect(try browser.complaints().isEmpty)
      }
    }

    /// A script that returns the element with the focus, and whether an outline of at least two
    /// pixels shows the focus (2.4.7).
    private static let focused = """
      (() => {
        const element = document.activeElement, style = getComputedStyle(element);
        const name = element.id || element.className || element.textContent.trim().slice(0, 20);
        const isOutlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
        return `${name} ${element === document.body || isOutlined ? 'outlined' : 'not seen'}`;
      })()
      """

    @Test func whatIsSelectedAndWhatFailsToBeDoneIsSaid() throws {
      try Browser.using { browser in
        try browser.open(bootRun().page())
        let said = "document.getElementById('status').textContent"

        try browser.press("n")
        #expect(try browser.text(said) == "login/token. Failed after 40.0 ms: no route to host")
        try browser.press("/", "tour", "Tab", "n")
        #expect(try browser.text(said) == "No pebble that is listed failed.")
        #expect(try browser.text("document.getElementById('count').tagName") == "OUTPUT")
      }
    }
  }
}

extension Browser {
  /// Makes the browser emulate a user preference, such as a dark color scheme.
  func emulate(_ feature: String, _ value: String) throws {
    try command(
      "Emulation.setEmulatedMedia", ["features": [["name": feature, "value": value]]])
  }

  fileprivate func focus(_ id: String) throws {
    _ = try value("document.getElementById('\(id)').focus()")
  }
}
