import Foundation

/// A headless Chromium browser, controlled through its DevTools protocol over two pipes. Each
/// message is a JSON value followed by a zero byte.
final class Chromium {
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private let process = Process()
  private let folder: URL
  private let commands: FileHandle
  private let answers: FileHandle
  private var received = Data()
  private var number = 0
  private var session = ""

  /// Starts Chromium.
  ///
  /// - Returns: The browser; `nil` if Chromium is not installed.
  static func start() throws -> Chromium? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let names = ["chromium", "chromium-browser", "google-chrome"]
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
    return try paths.first(where: FileManager.default.isExecutableFile).map(Chromium.init)
  }

  private init(path: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (input, output) = (folder.appending(path: "in").path, folder.appending(path: "out").path)
    guard mkfifo(input, 0o600) == 0, mkfifo(output, 0o600) == 0 else {
      throw Refusal(description: "cannot make pipes in \(folder.path)")
    }
    process.executableURL = URL(filePath: "/bin/sh")
    // A pipe opened for reading and writing does not block the shell until its other end is opened.
    let line = """
      exec "$0" --headless=new --no-sandbox --disable-dev-shm-usage --remote-debugging-pipe \
      --window-size=1440,1000 --user-data-dir="$1" about:blank 3<>"$2" 4<>"$3" 2> /dev/null
      """
    process.arguments = ["-c", line, path, folder.appending(path: "profile").path, input, output]
    process.standardOutput = FileHandle.nullDevice
    guard let commands = FileHandle(forUpdatingAtPath: input),
      let answers = FileHandle(forUpdatingAtPath: output)
    else { throw Refusal(description: "cannot open pipes in \(folder.path)") }
    self.commands = commands
    self.answers = answers
    try process.run()
    let made = try call("Target.createTarget", ["url": "about:blank"])
    let target = made["targetId"] ?? ""
    let attached = try call("Target.attachToTarget", ["targetId": target, "flatten": true])
    session = attached["sessionId"] as? String ?? ""
    try call("Page.enable")
    try call("Performance.enable", ["timeDomain": "threadTicks"])
  }

  func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Opens a page without waiting for it to load.
  func open(_ page: String) throws {
    let file = folder.appending(path: "page.html")
    try Data(page.utf8).write(to: file)
    try call("Page.navigate", ["url": file.absoluteString])
  }

  /// Returns the value of a JavaScript expression. If the value is a promise, waits for its result.
  @discardableResult
  func value(_ expression: String) throws -> Any? {
    let answer = try call(
      "Runtime.evaluate",
      ["expression": expression, "awaitPromise": true, "returnByValue": true])
    if let problem = answer["exceptionDetails"] { throw Refusal(description: "\(problem)") }
    return (answer["result"] as? [String: Any])?["value"]
  }

  func number(_ expression: String) throws -> Double {
    (try value(expression) as? NSNumber)?.doubleValue ?? .nan
  }

  /// Returns the total time that the main thread has spent working, in milliseconds.
  func mainThreadTime() throws -> Double {
    let metrics = try call("Performance.getMetrics")["metrics"] as? [[String: Any]] ?? []
    let task = metrics.first { $0["name"] as? String == "TaskDuration" }
    return (task?["value"] as? Double ?? .nan) * 1_000
  }

  @discardableResult
  private func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    number += 1
    var message: [String: Any] = ["id": number, "method": method, "params": parameters]
    if !session.isEmpty { message["sessionId"] = session }
    try commands.write(contentsOf: JSONSerialization.data(withJSONObject: message) + Data([0]))
    while true {
      let answer = try nextMessage()
      // Other messages are events, which are ignored.
      guard answer["id"] as? Int == number else { continue }
      if let error = answer["error"] { throw Refusal(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  private func nextMessage() throws -> [String: Any] {
    while true {
      if let end = received.firstIndex(of: 0) {
        let message = received[..<end]
        defer { received = Data(received[(end + 1)...]) }
        return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
      }
      received += answers.availableData
    }
  }
}
