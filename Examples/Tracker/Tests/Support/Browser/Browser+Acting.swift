/// The actions of a person who uses the browser.
extension Browser {
  /// Opens an address, and waits until the page is loaded and is no longer `aria-busy`.
  package func open(_ address: String) async throws {
    try await visit(address)
    try await wait("!document.body.hasAttribute('aria-busy')")
  }

  /// Opens an address, and waits until the page is loaded, even if it is still `aria-busy`.
  package func visit(_ address: String) async throws {
    try await call("POST", "/url", ["url": .string(address)])
  }

  /// Loads the page again.
  package func reload() async throws {
    try await call("POST", "/refresh", [:])
    try await wait("!document.body.hasAttribute('aria-busy')")
  }

  /// Clicks in the middle of the first element that a CSS selector finds.
  package func click(_ selector: String) async throws {
    try await call("POST", "/element/\(element(selector))/click", [:])
    try await waitForFrame()
  }

  /// Clicks into a field and types a string.
  package func type(_ text: String, into selector: String) async throws {
    try await call("POST", "/element/\(element(selector))/value", ["text": .string(text)])
    try await waitForFrame()
  }

  /// Presses keys one after the other. Each string is either the name of a key, such as `"Down"` or
  /// `"PageUp"`, or is typed letter by letter. Meanwhile, one of the modifiers `"Control"`,
  /// `"Alt"`, `"Shift"` and `"Meta"` can be held down.
  package func press(_ keys: String..., holding modifier: String? = nil) async throws {
    var actions: [JSONValue] = []
    let held = modifier.flatMap { Self.specialKeys[$0] }
    if let held { actions.append(["type": "keyDown", "value": .string(held)]) }
    for key in keys.flatMap(Self.strokes) {
      actions += [
        ["type": "keyDown", "value": .string(key)], ["type": "keyUp", "value": .string(key)],
      ]
    }
    if let held { actions.append(["type": "keyUp", "value": .string(held)]) }
    try await call(
      "POST", "/actions",
      ["actions": [["type": "key", "id": "keyboard", "actions": .array(actions)]]])
    try await waitForFrame()
  }

  /// Turns the mouse wheel over the middle of an element, by a number of CSS pixels.
  package func scroll(by pixels: Int, over selector: String) async throws {
    let origin: JSONValue = [Self.elementKey: .string(try await element(selector))]
    let turn: JSONValue = [
      "type": "scroll", "x": 0, "y": 0, "deltaX": 0, "deltaY": .number(Double(pixels)),
      "origin": origin,
    ]
    try await call(
      "POST", "/actions", ["actions": [["type": "wheel", "id": "wheel", "actions": [turn]]]])
    try await waitForFrame()
  }

  /// Changes the size of the window, in CSS pixels.
  package func resize(width: Int, height: Int) async throws {
    try await command(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(Double(width)), "height": .number(Double(height)),
        "deviceScaleFactor": 1, "mobile": false,
      ])
    try await waitForFrame()
  }

  /// Makes the browser prefer the colour scheme `"light"` or `"dark"`.
  package func prefer(_ colorScheme: String) async throws {
    try await command(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": .string(colorScheme)]]])
  }

  private static let specialKeys = [
    "Control": "\u{E009}", "Shift": "\u{E008}", "Alt": "\u{E00A}", "Meta": "\u{E03D}",
    "PageUp": "\u{E00E}", "PageDown": "\u{E00F}", "End": "\u{E010}", "Home": "\u{E011}",
    "Left": "\u{E012}", "Up": "\u{E013}", "Right": "\u{E014}", "Down": "\u{E015}",
    "Escape": "\u{E00C}", "Enter": "\u{E007}", "Tab": "\u{E004}", "Space": " ",
    "Backspace": "\u{E003}", "Delete": "\u{E017}",
  ]

  /// The key under which the protocol sends the identifier of an element.
  private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

  private static func strokes(of key: String) -> [String] {
    specialKeys[key].map { [$0] } ?? key.map(String.init)
  }

  private func element(_ selector: String) async throws -> String {
    let found = try await call(
      "POST", "/element", ["using": "css selector", "value": .string(selector)])
    return found[Self.elementKey].text ?? ""
  }

  /// Waits for the next frame, in which the effects of an action are drawn.
  private func waitForFrame() async throws {
    try await wait("true")
  }
}
