import Configuration
import Foundation
import Pebbles
import TrackerCore

/// From the start of a boot to open doors, with a new database each time.
struct Boots: Sendable {
  let feed: String
  let folder: URL

  struct NotReady: Error, CustomStringConvertible {
    let description: String
  }

  /// - Parameter rounds: How many are measured; some before them are not.
  /// - Returns: Milliseconds.
  /// - Throws: ``NotReady``, or what else a boot throws.
  func compared(rounds: Int) async throws -> Comparison {
    var comparison = Comparison()
    let warmUp = 5
    for round in 0..<warmUp + rounds {
      var (pond, hand) = (Duration.zero, Duration.zero)
      // Who goes first has it colder.
      if round.isMultiple(of: 2) {
        pond = try await withPond()
        hand = try await byHand()
      } else {
        hand = try await byHand()
        pond = try await withPond()
      }
      if round >= warmUp {
        comparison.add(pond: pond / .milliseconds(1), other: hand / .milliseconds(1))
      }
    }
    return comparison
  }

  /// Settings as the program reads them, with a database that is not there yet.
  func settings() -> @Sendable () throws -> Settings {
    let database = folder.appending(path: "\(UUID().uuidString).sqlite").path
    let environment = [
      "TRACKER_HTTP_PORT": "0", "TRACKER_DATABASE_PATH": database, "TRACKER_FEED_URL": feed,
    ]
    return {
      let variables = EnvironmentVariablesProvider(environmentVariables: environment)
      return try Settings(ConfigReader(provider: variables).scoped(to: "tracker"))
    }
  }

  private func withPond() async throws -> Duration {
    let settings = settings()
    let start = ContinuousClock.now
    let boot = Boot(limits: Limits(), logger: Figures.logger, settings: settings)
    let run = try boot.pond.start()
    let report = try await run.report
    // What the doors let start comes, by hand, after the moment that is taken; and so the report.
    let rest = report.makespan - (report.record(named: "doors")?.finished ?? report.makespan)
    let took = ContinuousClock.now - start - rest
    let (screen, isOpen) = (boot.site.screen, boot.site.isOpen)
    try await run.shutdown().check()
    guard isOpen, screen == .online else { throw NotReady(description: "\(report)") }
    return took
  }

  private func byHand() async throws -> Duration {
    let settings = settings()
    let (moments, ready) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    let start = ContinuousClock.now
    let boot = BootByHand(
      limits: Limits(), logger: Figures.logger, read: settings, onReady: { ready.yield(.now) })
    let running = Task {
      defer { ready.finish() }
      try await boot.run()
    }
    let end = await moments.first { _ in true }
    let (screen, isOpen) = (boot.site.screen, boot.site.isOpen)
    running.cancel()
    try await running.value
    guard let end, isOpen, screen == .online else { throw NotReady(description: "\(screen)") }
    return end - start
  }
}
