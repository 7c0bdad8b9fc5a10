import Foundation
import TrackerTestSupport

@testable import TrackerCore

/// A runner for the page's JavaScript store. It uses Node if installed, and Chromium otherwise.
enum StoreScript {
  static let howToInstall = """
    There is neither Node nor Chromium: `apt-get install nodejs`, or `chromium chromium-driver`, \
    adds one
    """

  static let isInstalled = node != nil || Browser.isInstalled

  private static let node = path(of: "node")

  /// Short names for actions, and for questions about states.
  private static let vocabulary = """
    const opened = text => ({ type: "opened", text });
    const typed = text => ({ type: "typed", text });
    const [paused, submitted, reachedEnd, retried]
      = ["paused", "submitted", "reachedEnd", "retried"].map(type => ({ type }));
    const answered = (request, names, next = null, all = names.length) => ({
      type: "answered", request,
      page: { launches: names.map(name => ({ id: name, name })), next, total: names.length, all },
    });
    const failed = (request, sentence) => ({ type: "failed", request, sentence });
    const first = next => [opened(""), answered(1, ["a"], next)];
    const shown = first(null);
    const after = (...actions) => actions.flat().reduce(
      (state, action) => store.reduce(state, action).state, store.initial);
    const names = state => state.launches.map(launch => launch.id).join(",");
    const said = command => {
      switch (command.type) {
        case "wait": return `wait(${command.milliseconds})`;
        case "stopWaiting": return "stopWaiting";
        case "cancel": return `cancel(${command.request})`;
        case "remember": return `remember(${command.query})`;
        case "ask": {
          const page = command.page === null ? "null" : `'${command.page}'`;
          return `ask(${command.request}, '${command.query}', ${page})`;
        }
        default: return JSON.stringify(command);
      }
    };
    const last = (...given) => {
      const actions = given.flat();
      const before = after(...actions.slice(0, -1));
      const { state, commands } = store.reduce(before, actions.at(-1));
      return [`${before.phase}→${state.phase}`, ...commands.map(said)].join("; ");
    };
    """

  /// Evaluates an expression with the store and the vocabulary in scope, and returns its value as a
  /// string.
  static func value(_ expression: String) async throws -> String {
    let function = "(async () => {\(try store)\n\(vocabulary)\nreturn String(\(expression)); })()"
    if let node { return try run(node, script: function) }
    let value = Captured()
    try await Browser.using { browser in
      try await browser.open("about:blank")
      await value.set(try await browser.result(of: function).text ?? "")
    }
    return await value.text
  }

  private actor Captured {
    var text = ""

    func set(_ text: String) { self.text = text }
  }

  /// The module as an object.
  private static var store: String {
    get throws {
      let file = LaunchFiles.folder.appending(path: "store.js")
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      let names = text.matches(of: /export (?:const|function) (\w+)/).map { String($0.1) }
      let body = text.replacing("export ", with: "")
      return "const store = (() => {\(body)\nreturn { \(names.joined(separator: ", ")) }; })();"
    }
  }

  struct Failure: Error {
    let message: String
  }

  private static func run(_ node: String, script: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID()).mjs")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("process.stdout.write(await \(script));".utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: node)
    process.arguments = [file.path]
    let (output, problems) = try Process.startingAlone {
      let (output, problems) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = problems
      try process.run()
      return (output, problems)
    }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let problem = problems.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(message: String(decoding: problem, as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }
}
