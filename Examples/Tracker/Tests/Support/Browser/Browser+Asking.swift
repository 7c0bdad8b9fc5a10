/// What the page says.
extension Browser {
  /// The value of an expression of JavaScript.
  package func value(_ expression: String) async throws -> JSONValue {
    try await call(
      "POST", "/execute/sync", ["script": .string("return (\(expression))"), "args": []])
  }

  /// The value of an expression that is a text; anything else is described.
  package func text(_ expression: String) async throws -> String {
    let value = try await value("String(\(expression))")
    return value.text ?? "\(value)"
  }

  /// The value of an expression that is a number; anything else is not a number.
  package func number(_ expression: String) async throws -> Double {
    try await value(expression).number ?? .nan
  }

  package func isTrue(_ expression: String) async throws -> Bool {
    try await value("Boolean(\(expression))") == true
  }

  /// What a promise is fulfilled with.
  package func result(of promise: String) async throws -> JSONValue {
    let script = """
      const done = arguments[0];
      Promise.resolve(\(promise)).then(done, error => done(`rejected: ${error}`));
      """
    return try await call("POST", "/execute/async", ["script": .string(script), "args": []])
  }

  /// Waits until an expression is true, asked at each frame, and gives its value; in the next page
  /// if this one is left meanwhile, which the driver calls a timeout at once.
  ///
  /// - Throws: What the driver says after a minute without.
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

  /// Asks what only the browser's own tools can.
  @discardableResult
  package func command(
    _ command: String, _ parameters: JSONValue = [:]
  ) async throws -> JSONValue {
    try await call(
      "POST", "/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
  }

  /// What the console said since it was asked last: nothing, if all is well.
  package func complaints() async throws -> [String] {
    try await call("POST", "/se/log", ["type": "browser"]).elements.map {
      $0["message"].text ?? "\($0)"
    }
  }

  /// How many milliseconds of the page's main thread something takes. Other work on the machine
  /// does not lengthen that by much.
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
