/// A measurement of the cost of an inspector page in a browser. The cost is the time that the
/// page's main thread spends working, which depends only slightly on the machine's load. For
/// filters, the cost is the elapsed time.
struct PageMeasurement {
  private let browser: Chromium

  init(_ browser: Chromium) { self.browser = browser }

  static func seconds<Value>(_ action: () -> Value) -> (value: Value, time: Double) {
    let start = ContinuousClock.now
    let value = action()
    return (value, (ContinuousClock.now - start) / .seconds(1))
  }

  func figures(of page: String) throws -> [Figure] {
    let opening = try open(page)
    // The page folds names when it is idle.
    let folding = try mainThreadTime { try browser.value(Self.rest) }
    let scrolling = try mainThreadTime { try browser.value(Self.frames(200, Self.scroll)) } / 200
    let zooming = try mainThreadTime { try browser.value(Self.frames(100, Self.zoom)) } / 100
    return [
      Figure("page usable after", opening, .milliseconds, atMost: 1_500),
      Figure("3 s of rest, names folded in it", folding, .milliseconds),
      Figure("a frame that scrolls by 10 rows", scrolling, .milliseconds, atMost: 8),
      Figure("a frame that zooms", zooming, .milliseconds, atMost: 12),
    ]
  }

  /// Measures for each filter how long the page takes to handle a change. Only the last of several
  /// changes is measured, because the browser has compiled the code by then.
  func filterFigures(of page: String, rows: Int) throws -> [Figure] {
    _ = try open(page)
    let first = try browser.number(Self.search("p1"))
    let questions = [
      ("text, one word", [Self.search("p2"), Self.search("p3"), Self.search("p4")]),
      ("text, a word and more of it", [Self.search("p49"), Self.search("p499")]),
      ("text, cleared", [Self.search("")]),
      ("outcome", [Self.click("failed"), Self.click("skipped"), Self.click("failed")]),
      ("longest chain", [Self.part("chain"), Self.part("all"), Self.part("chain")]),
      ("what waited", [Self.part("waited"), Self.part("all"), Self.part("waited")]),
    ]
    let figures = try questions.map { name, expressions in
      let times = try expressions.map(browser.number)
      return Figure(
        "filter of \(rows) rows, \(name)", times[times.count - 1], .milliseconds, atMost: 50)
    }
    return [Figure("first search of \(rows) rows, right at once", first, .milliseconds)] + figures
  }

  private func open(_ page: String) throws -> Double {
    try browser.open("<!doctype html><title>none</title>")
    try browser.value("new Promise(done => requestAnimationFrame(done))")
    return try mainThreadTime {
      try browser.open(page)
      try browser.value(Self.isUp)
    }
  }

  private func mainThreadTime(of action: () throws -> Void) throws -> Double {
    let before = try browser.mainThreadTime()
    try action()
    return try browser.mainThreadTime() - before
  }

  // MARK: What is done in the page

  private static let isUp = """
    new Promise(done => {
      const ask = () => document.body && document.readyState === 'complete'
        && !document.body.hasAttribute('aria-busy') ? done() : requestAnimationFrame(ask);
      ask();
    })
    """

  private static let rest = "new Promise(done => setTimeout(done, 3000))"

  private static func frames(_ count: Int, _ action: String) -> String {
    """
    new Promise(done => {
      let frames = 0;
      const next = () => {
        \(action);
        if (++frames < \(count)) requestAnimationFrame(next); else done();
      };
      requestAnimationFrame(next);
    })
    """
  }

  private static let scroll = "document.getElementById('rows').scrollTop += 240"

  private static let zoom = """
    document.body.dispatchEvent(new KeyboardEvent(
      'keydown', { key: frames % 20 < 10 ? '+' : '-', bubbles: true }))
    """

  private static func timed(_ action: String) -> String {
    "(() => { const start = performance.now(); \(action); return performance.now() - start; })()"
  }

  private static func search(_ text: String) -> String {
    timed(
      """
      const field = document.getElementById('text');
      field.value = '\(text)';
      field.dispatchEvent(new Event('input'))
      """)
  }

  private static func click(_ outcome: String) -> String {
    timed("document.querySelector('#outcomes .\(outcome)').click()")
  }

  private static func part(_ name: String) -> String {
    timed(
      """
      const list = document.getElementById('part');
      list.value = '\(name)';
      list.dispatchEvent(new Event('change'))
      """)
  }
}
