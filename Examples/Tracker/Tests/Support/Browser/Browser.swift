import Foundation

/// A real Chromium without a window, driven as a person would.
///
/// ```swift
/// @Suite(.enabled(if: Browser.isInstalled, Comment(rawValue: Browser.howToInstall)))
/// struct PageTests {
///   @Test func theTitleIsShown() async throws {
///     try await Browser.using { browser in
///       try await browser.open("http://127.0.0.1:\(port)/people")
///       try await browser.type("ann", into: "#name")
///       try await browser.wait("document.title === 'People'")
///       #expect(try await browser.complaints().isEmpty)
///     }
///   }
/// }
/// ```
package struct Browser: Sendable {
  package static let howToInstall = """
    Chromium is not installed: `apt-get install chromium chromium-driver` adds it and its driver
    """

  package static let isInstalled = driverPath != nil && chromiumPath != nil

  private static let driverPath = DriverProcess.path(of: "chromedriver")
  private static let chromiumPath = DriverProcess.path(
    of: "chromium", "chromium-browser", "google-chrome")

  /// The queue of tests that use a browser. Only one browser runs at a time.
  private static let turns = Turns()

  private let process: DriverProcess
  private let driver: WebDriver
  private let session: String

  /// Starts a browser, passes it to a closure, and quits the browser when the closure returns or
  /// throws an error. Only one browser runs at a time, so this method may have to wait.
  ///
  /// - Parameters:
  ///   - width: The width of the window, in CSS pixels.
  ///   - height: The height of the window, in CSS pixels.
  ///   - test: A closure that uses the browser.
  /// - Throws: Any error thrown by `test`, or by the driver if no browser can be started.
  package static func using(
    width: Int = 1440, height: Int = 900, _ test: (Browser) async throws -> Void
  ) async throws {
    await turns.take()
    try await always({ await turns.pass() }, after: { try await start(width, height, test) })
  }

  private static func start(
    _ width: Int, _ height: Int, _ test: (Browser) async throws -> Void
  ) async throws {
    let process = try await DriverProcess.start(path: driverPath ?? "chromedriver")
    try await always(
      { await process.end() },
      after: {
        let browser = try await Browser(process, width: width, height: height)
        try await always({ await browser.quit() }, after: { try await test(browser) })
      })
  }

  /// Calls the closure `end` after `work`, even if `work` throws an error.
  private static func always(
    _ end: () async -> Void, after work: () async throws -> Void
  ) async throws {
    do {
      try await work()
    } catch {
      await end()
      throw error
    }
    await end()
  }

  private init(_ process: DriverProcess, width: Int, height: Int) async throws {
    self.process = process
    driver = WebDriver(port: process.port)
    let wanted: JSONValue = [
      "goog:chromeOptions": [
        "binary": .string(Self.chromiumPath ?? "chromium"),
        "args": [
          "--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
          "--force-color-profile=srgb", "--window-size=\(width),\(height)",
        ],
      ],
      "goog:loggingPrefs": ["browser": "ALL"],
    ]
    let answer = try await driver.call(
      "POST", "/session", ["capabilities": ["alwaysMatch": wanted]])
    session = "/session/\(answer["sessionId"].text ?? "")"
    try await driver.call(
      "POST", "\(session)/timeouts", ["script": 60_000, "pageLoad": 60_000])
  }

  /// Asks the driver to end the browser, even if the test was cancelled, because the browser would
  /// otherwise outlive its driver.
  private func quit() async {
    await Task { _ = try? await driver.call("DELETE", session) }.value
  }

  /// Sends a request in the session to the driver.
  @discardableResult
  func call(
    _ method: String, _ path: String, _ body: JSONValue? = nil
  ) async throws -> JSONValue {
    try await driver.call(method, "\(session)\(path)", body)
  }
}
