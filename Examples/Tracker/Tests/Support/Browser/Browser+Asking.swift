/// The questions that a test asks about the page.
extension Browser {
  /// Returns the value of a JavaScript expression.
  package func value(_ expression: String) async throws -> JSONValue {
    try await call(
      "POST", "/execute/sync", ["script": .string("return (\(expression))"), "args": []])
  }

  /// Returns the value of an expression if it is a string; otherwise, a description of the value.
  package func text(_ expression: String) async throws -> String {
    let value = try await value("String(\(expression))")
    return value.text ?? "\(value)"
  }

  /// Returns the value of an expression if it is a number; otherwise, NaN.
  package func number(_ expression: String) async throws -> Double {
    try await value(expression).number ?? .nan
  }

  package func isTrue(_ expression: String) async throws -> Bool {
    try await value("Boolean(\(expression))") == true
  }

  /// Returns the value with which a promise is fulfilled.
  package func result(of promise: String) async throws -> JSONValue {
    let script = """
      const done = arguments[0];
      Promise.resolve(\(promise)).then(done, error => done(`rejected: ${error}`));
      """
    return try await call("POST", "/execute/async", ["script": .string(script), "args": []])
  }

  /// Waits until an expression is true, and returns its value. The expression is evaluated at each
  /// frame. If the browser leaves the page meanwhile, the driver immediately reports a timeout, and
  /// the expression is evaluated in the next page.
  ///
  /// - Throws: The driver's error if the expression does not become true within a minute.
  @discardableResult
  package func wait(_ expression: String) async throws -> JSONValue {
    let script = """
      window.isAsked = true;
      const done = arguments[0], ask = () => {
        const value = \(expression);
        if (value) done(value); else requestAnimationFrame(ask);
      };
      requestAnimationFrame(() => requestAnimationFrame(ask));
      """
    do {
      return try await call("POST", "/execute/async", ["script": .string(script), "args": []])
    } catch let refusal as WebDriver.Refusal {
      guard try await !isTrue("window.isAsked") else {
        throw WebDriver.Refusal(description: "\(refusal), waiting for \(expression)")
      }
      return try await wait(expression)
    }
  }

  /// Sends a command to the browser's developer tools, for things that WebDriver cannot do.
  @discardableResult
  package func command(
    _ command: String, _ parameters: JSONValue = [:]
  ) async throws -> JSONValue {
    try await call(
      "POST", "/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
  }

  /// Returns the console messages since the last call. If the page has no errors, there are none.
  package func complaints() async throws -> [String] {
    try await call("POST", "/se/log", ["type": "browser"]).elements.map {
      $0["message"].text ?? "\($0)"
    }
  }

  /// Returns how many milliseconds the page's main thread spends on an action. Other work on the
  /// machine hardly affects this time.
  package func mainThreadTime(of action: () async throws -> Void) async throws -> Double {
    try await command("Performance.enable", ["timeDomain": "threadTicks"])
    let before = try await taskDuration()
    try await action()
    return try await (taskDuration() - before) * 1_000
  }

  private func taskDuration() async throws -> Double {
    let metrics = try await command("Performance.getMetrics")["metrics"].elements
    return metrics.first { $0["name"].text == "TaskDuration" }?["value"].number ?? 0
  }
}
