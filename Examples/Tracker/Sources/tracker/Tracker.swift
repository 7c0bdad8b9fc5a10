import ArgumentParser
import Configuration
import Foundation
import Logging
import Pebbles
import PebblesServer
import TrackerCore

/// The launch tracker: boots, serves until it is told to end, and drains.
@main
struct Tracker: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracker",
    abstract: "Serves SpaceX launches from a feed.",
    discussion: """
      Every option is also an environment variable, TRACKER_HTTP_PORT and so on, and there are \
      more of these: see the README. SIGTERM ends it: no new visitors, those that are inside get \
      their answers, then the database is closed.

      Exit status: 0 if it was told to end; 1 if it could not go on.
      """)

  @Option(help: "Where to listen (127.0.0.1).")
  var host: String?

  @Option(help: "On which port (8080); 0 for one that is free.")
  var port: String?

  @Option(help: "The file of the database (tracker.sqlite).")
  var database: String?

  @Option(help: "The address of the feed; without one, data that comes with this is served.")
  var feed: String?

  @Flag(help: "Log what every pebble does.")
  var verbose = false

  func run() async throws {
    LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .pebbles)
    var logger = Logger(label: "tracker")
    logger.logLevel = verbose ? .debug : .notice

    let reader = reader()
    let limits = try Limits(reader)
    let boot = Boot(limits: limits, logger: logger) { try Settings(reader) }
    let run = try boot.pond.start(
      untilSignal: [.terminate, .interrupt], shutdownWithin: limits.shutdown,
      eventHistory: 1_000)
    async let logged: Void = run.log(to: logger)

    let booted = try await run.report
    booted.record()
    say("\(booted)")
    if let port = boot.site.port, let settings = booted[boot.settings], !booted.isCancelled {
      say("\(boot.site.screen) at \(settings.address(on: port))/")
    }
    let report = try await run.reportAfterShutdown()
    await logged
    if let shutdown = report.shutdown { say("\(shutdown)") }
    throw ExitCode(report.exitCode)
  }

  /// The options, then the environment.
  private func reader() -> ConfigReader {
    let given: [(String, String?)] = [
      ("http.host", host), ("http.port", port), ("database.path", database), ("feed.url", feed),
    ]
    var options: [AbsoluteConfigKey: ConfigValue] = [:]
    for case (let key, let value?) in given {
      options[AbsoluteConfigKey(ConfigKey(key)).prepending(ConfigKey("tracker"))] =
        ConfigValue(.string(value), isSecret: false)
    }
    let providers: [any ConfigProvider] = [
      InMemoryProvider(values: options), EnvironmentVariablesProvider(),
    ]
    return ConfigReader(providers: providers).scoped(to: "tracker")
  }

  /// At once, also where the output is a file. That nobody reads it, or that there is no room for
  /// it, is no reason to end.
  private func say(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
  }
}
