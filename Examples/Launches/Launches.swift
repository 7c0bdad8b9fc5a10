import Foundation
import Pebbles

/// `launches`: boots a SpaceX launch tracker in a terminal. The boot itself is in `Boot.swift`.
@main
struct Launches {
  private enum ExitStatus: Int32 {
    case shown = 0
    case failed = 1
    case wrongOptions = 2
  }

  static func main() async {
    StandardStream.prepare()
    let status = await run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitStatus {
    do {
      switch try OptionParser.parse(arguments) {
      case .help:
        try StandardStream.output.write(Options.help)
        return .shown
      case .run(let options):
        return try await run(options)
      }
    } catch let error as OptionError {
      complain(error.description)
      return .wrongOptions
    } catch {
      complain("launches: \(printableLines("\(error)"))\n")
      return .failed
    }
  }

  private static func run(_ options: Options) async throws -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    let store = Store(
      path: try options.storeFile ?? DefaultFiles.store(environment: environment), now: { .now })
    // Once and here, or every load would say it.
    try store.checkFolder()
    let narrator = Narrator.standardError(environment: environment)
    let showsScreens = !options.isJSON && options.dot != .standardOutput
    // On a terminal the narration stands right above.
    let space = StandardStream.output.isTerminal ? "\n" : ""
    let boot = Boot(
      launches: JSONFeed(path: options.launchesFile ?? DefaultFiles.fixture("launches")),
      cores: JSONFeed(path: options.coresFile ?? DefaultFiles.fixture("cores")),
      store: store,
      stage: Stage(narrator: narrator, delays: options.delays, failing: options.failing),
      now: { .now },
      show: { screens in
        if showsScreens { try StandardStream.output.write(space + screens.text + space) }
      })

    let report = try await boot.pond.run()
    narrator.bootEnded(report)
    switch options.dot {
    case .none: break
    case .standardOutput: try StandardStream.output.write(report.dot() + "\n")
    case .file(let path): try File(path: path).write(Array((report.dot() + "\n").utf8))
    }
    if options.isJSON {
      let summary = JSONSummary(of: report, store: try? store.contents())
      try StandardStream.output.write(summary.text())
    }
    return report.outcome(of: boot.refreshScreens).isSucceeded ? .shown : .failed
  }

  /// Says what is wrong on standard error. If that is not possible either, the exit status says it.
  private static func complain(_ text: String) {
    try? StandardStream.error.write(text)
  }
}
