import Foundation
import PebblesTestSupport

/// A Chromium browser without a window, which a test controls as a user would.
final class Browser {
  static let howToInstall = """
    Chromium is not installed: `apt-get install chromium chromium-driver` adds it and its driver
    """

  static let isInstalled = Program.path(of: "chromedriver") != nil && chromium != nil

  private static let chromium = ["chromium", "chromium-browser", "google-chrome"].lazy
    .compactMap(Program.path).first

  private let process: Process
  private let driver: WebDriver
  private let session: String
  private let folder: TemporaryFolder

  /// The browsers that are not in use and can be reused by the next tests. They end with the
  /// process.
  nonisolated(unsafe) private static var idle: [Browser] = []
  private static let lock = NSLock()

  private static let endsWithTheProcess: Void = {
    atexit { while let browser = Browser.take() { browser.end() } }
  }()

  /// Calls a closure with a browser that keeps no state of earlier tests.
  static func using(_ test: (Browser) throws -> Void) throws {
    let browser = try take() ?? Browser(width: 1440, height: 900)
    do {
      try browser.forget()
      try test(browser)
    } catch {
      browser.end()
      throw error
    }
    _ = endsWithTheProcess
    lock.withLock { idle.append(browser) }
  }

  /// Calls a closure with a new browser whose window has the given height.
  static func using(height: Int, _ test: (Browser) throws -> Void) throws {
    let browser = try Browser(width: 1440, height: height)
    defer { browser.end() }
    try test(browser)
  }

  private static func take() -> Browser? {
    lock.withLock { idle.popLast() }
  }

  private func forget() throws {
    try driver.call("POST", "\(session)/url", ["url": "about:blank"])
    try command("Emulation.setEmulatedMedia", ["features": []])
    try command("Emulation.clearDeviceMetricsOverride")
    try command("Browser.resetPermissions")
    _ = try complaints()
  }

  private init(width: Int, height: Int) throws {
    folder = try TemporaryFolder()
    (process, driver) = try Self.startDriver(in: folder)
    let arguments = [
      "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb",
      "--window-size=\(width),\(height)",
    ]
    let options: [String: Any] = ["binary": Self.chromium ?? "", "args": arguments]
    let wanted: [String: Any] = [
      "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
    ]
    let answer = try driver.call(
      "POST", "/session", ["capabilities": ["alwaysMatch": wanted]])
    session = "/session/\((answer as? [String: Any])?["sessionId"] ?? "")"
    try driver.call("POST", "\(session)/timeouts", ["script": 120_000, "pageLoad": 120_000])
  }

  private func end() {
    _ = try? driver.call("DELETE", session)
    // It inherits the signals that the thread of a task blocks, all that can be.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts a driver. The driver chooses a port that is free on IPv6, and fails if the same port is
  /// in use on IPv4. In this case, another driver is started.
  private static func startDriver(in folder: TemporaryFolder) throws -> (Process, WebDriver) {
    var starts = 0
    while true {
      let process = Process()
      process.executableURL = URL(filePath: Program.path(of: "chromedriver") ?? "")
      process.arguments = ["--port=0"]
      // What the browser leaves behind goes with the folder.
      process.environment = ProcessInfo.processInfo.environment
        .merging(["TMPDIR": folder.path]) { $1 }
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.runAlone()
      starts += 1
      do {
        return (process, WebDriver(port: try port(announcedIn: output)))
      } catch let refusal as WebDriver.Refusal
        where starts < 10 && refusal.description.contains("not available")
      {
        process.waitUntilExit()
      }
    }
  }

  /// Returns the port that the driver announces in its output.
  private static func port(announcedIn output: Pipe) throws -> UInt16 {
    var text = ""
    while true {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw WebDriver.Refusal(description: "the driver ended: \(text)") }
      text += String(decoding: data, as: UTF8.self)
      guard let match = text.firstMatch(of: /on port (\d+)\./), let port = UInt16(match.1) else {
        continue
      }
      return port
    }
  }

  // MARK: What a person does

  /// Opens a page from its text, and waits until it is complete.
  func open(_ page: String, fragment: String = "") throws {
    let file = URL(filePath: try folder.write(page, to: "page.html"))
    // Another fragment alone would not load the page again.
    try driver.call("POST", "\(session)/url", ["url": "about:blank"])
    try driver.call("POST", "\(session)/url", ["url": "file://\(file.path)\(fragment)"])
    _ = try wait("document.body.hasAttribute('aria-busy') ? null : true")
  }

  /// Opens the page at an address, and waits until it is complete.
  func visit(_ address: String) throws {
    try driver.call("POST", "\(session)/url", ["url": address])
    _ = try wait("document.body.hasAttribute('aria-busy') ? null : true")
  }

  /// Presses keys one after the other. Each argument is the name of a special key or a string of
  /// letters.
  func press(_ keys: String..., holding modifier: String? = nil) throws {
    let special = [
      "Control": "\u{E009}", "PageUp": "\u{E00E}", "PageDown": "\u{E00F}", "End": "\u{E010}",
      "Home": "\u{E011}", "Left": "\u{E012}", "Up": "\u{E013}", "Right": "\u{E014}",
      "Down": "\u{E015}", "Escape": "\u{E00C}", "Enter": "\u{E007}", "Tab": "\u{E004}",
    ]
    var actions: [[String: Any]] = []
    let held = modifier.flatMap { special[$0] }
    if let held { actions.append(["type": "keyDown", "value": held]) }
    for key in keys.flatMap({ key in special[key].map { [$0] } ?? key.map(String.init) }) {
      actions += [["type": "keyDown", "value": key], ["type": "keyUp", "value": key]]
    }
    if let held { actions.append(["type": "keyUp", "value": held]) }
    let source: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
    try driver.call("POST", "\(session)/actions", ["actions": [source]])
    // What follows a key is drawn with the next frame.
    _ = try wait("true")
  }

  func click(_ selector: String) throws {
    let query = ["using": "css selector", "value": selector]
    let element = try driver.call("POST", "\(session)/element", query) as? [String: Any]
    let id = element?.values.first as? String ?? ""
    try driver.call("POST", "\(session)/element/\(id)/click", [:])
    _ = try wait("true")
  }

  /// Creates a file, and chooses it in the file field that the selector matches.
  func choose(_ text: String, named name: String, for selector: String) throws {
    let path = try folder.write(text, to: name)
    let query = ["using": "css selector", "value": selector]
    let element = try driver.call("POST", "\(session)/element", query) as? [String: Any]
    let id = element?.values.first as? String ?? ""
    try driver.call("POST", "\(session)/element/\(id)/value", ["text": path])
  }

  // MARK: What the page says

  /// Returns the value of an expression as text.
  func text(_ expression: String) throws -> String { "\(try value(expression))" }

  func isTrue(_ expression: String) throws -> Bool { try value(expression) as? Bool ?? false }

  func number(_ expression: String) throws -> Double {
    (try value(expression) as? NSNumber)?.doubleValue ?? .nan
  }

  func value(_ expression: String) throws -> Any {
    let body: [String: Any] = ["script": "return (\(expression))", "args": []]
    return try driver.call("POST", "\(session)/execute/sync", body)
  }

  /// Waits until an expression is not `null`, and returns its value. The expression is evaluated at
  /// each frame. If the page reloads meanwhile, which the driver reports as a timeout, the wait
  /// continues on the new page.
  func wait(_ expression: String) throws -> Any {
    let script = """
      window.isAsked = true;
      const done = arguments[0], ask = () => {
        const value = \(expression);
        if (value === null) requestAnimationFrame(ask); else done(value);
      };
      requestAnimationFrame(() => requestAnimationFrame(ask));
      """
    do {
      return try driver.call("POST", "\(session)/execute/async", ["script": script, "args": []])
    } catch let refusal as WebDriver.Refusal {
      guard try !isTrue("Boolean(window.isAsked)") else { throw refusal }
      return try wait(expression)
    }
  }

  /// Sends a command of the DevTools protocol of the browser.
  @discardableResult
  func command(_ command: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    let body: [String: Any] = ["cmd": command, "params": parameters]
    return try driver.call("POST", "\(session)/goog/cdp/execute", body) as? [String: Any] ?? [:]
  }

  /// Returns the messages in the console of the browser. There are none if the page has no
  /// problems.
  func complaints() throws -> [String] {
    let entries = try driver.call("POST", "\(session)/se/log", ["type": "browser"])
    return (entries as? [[String: Any]] ?? []).map { "\($0["message"] ?? "")" }
  }
}
