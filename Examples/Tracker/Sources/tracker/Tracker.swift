import ArgumentParser
import Configuration
import Foundation
import Logging
import Pebbles
import PebblesServer
import TrackerCore

/// The launch tracker's command, which boots, serves until it is told to end, and then drains.
@main
struct Tracker: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracker",
    abstract: "Serves SpaceX launches from a feed.",
    discussion: """
      Every option with a value is also an environment variable, TRACKER_HTTP_PORT and so on, and \
      there are more of these: see the README. SIGTERM ends it: from then on it is not ready; a \
      second later it accepts no more requests, answers those that it has, and closes the \
      database. A second SIGTERM ends it at once.

      Exit status: 0 if it was told to end; 1 if it could not go on; 64 if an option is unknown or \
      lacks its value.
      """,
    version: Pond.packageVersion)

  @Option(help: "The address to listen on (127.0.0.1).")
  var host: String?

  @Option(help: "The port to listen on (8080); 0 for a free one.")
  var port: String?

  @Option(help: "The file of the database (tracker.sqlite).")
  var database: String?

  @Option(
    help: """
      The address of the feed, whose answers have at most 64 MB each; without it, data that comes \
      with this program is served.
      """)
  var feed: String?

  @Flag(help: "Log the events of all pebbles, and print the reports of the boot and the shutdown.")
  var verbose = false

  func run() async throws {
    LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .pebbles)
    var logger = Logger(label: "tracker")
    logger.logLevel = verbose ? .debug : .notice

    let (settings, limits) = try configured()
    let boot = Boot(limits: limits, logger: logger) { settings }
    let run = try boot.pond.start(
      untilSignal: [.terminate, .interrupt], shutdownWithin: limits.shutdown,
      eventHistory: 1_000)
    async let logged: Void = run.log(to: logger)

    let booted = try await run.report
    booted.record()
    if verbose { say("\(booted)") }
    if let port = boot.site.port, !booted.isCancelled {
      say(boot.site.screen.greeting(at: settings.address(on: port), after: booted.makespan))
    }
    let report = try await run.reportAfterShutdown()
    await logged
    say(farewell(report))
    throw ExitCode(report.exitCode)
  }

  /// Returns the settings from the options and the environment. If a value is invalid, the thrown
  /// error names its source.
  private func configured() throws -> (Settings, Limits) {
    let given: [(key: String, option: String, value: String?)] = [
      ("http.host", "--host", host), ("http.port", "--port", port),
      ("database.path", "--database", database), ("feed.url", "--feed", feed),
    ]
    var options: [AbsoluteConfigKey: ConfigValue] = [:]
    for case (let key, _, let value?) in given {
      options[AbsoluteConfigKey(ConfigKey(key)).prepending(ConfigKey("tracker"))] =
        ConfigValue(.string(value), isSecret: false)
    }
    let providers: [any ConfigProvider] = [
      InMemoryProvider(values: options), EnvironmentVariablesProvider(),
    ]
    let reader = ConfigReader(providers: providers).scoped(to: "tracker")
    do {
      return (try Settings(reader), try Limits(reader))
    } catch var error as SettingError {
      error.option = given.first { $0.key == error.key && $0.value != nil }?.option
      throw error
    }
  }

  /// Returns the problems of the run, if it had any, and the result of the shutdown.
  private func farewell(_ report: Report) -> String {
    var lines: [String] = []
    if let cancellation = report.cancellation { lines.append("cancelled: \(cancellation)") }
    if report.exitCode != 0 { lines += report.failures.map(\.explanation) }
    if let shutdown = report.shutdown {
      let text = "\(shutdown)"
      let isLong = verbose || !shutdown.failures.isEmpty
      lines.append(isLong ? text : String(text.prefix { $0 != "\n" }))
    }
    return lines.joined(separator: "\n")
  }

  /// Prints a string without buffering, even if the output is a file. Errors caused by a closed or
  /// full output are ignored.
  private func say(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
  }
}

extension Site.Screen {
  /// Returns the screen and its address, with the reason if something is missing.
  fileprivate func greeting(at address: String, after time: Duration) -> String {
    let place = "\(name) at \(address)/ after \(time.brief); how it booted: \(address)/boot"
    return loss.map { _ in "\(self)\n\(place)" } ?? place
  }
}
