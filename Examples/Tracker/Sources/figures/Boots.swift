import Configuration
import Foundation
import Pebbles
import TrackerCore

/// A measurement of how long boots take until the doors are open. Each boot has a new database.
struct Boots: Sendable {
  let feed: String
  let folder: URL

  struct NotReady: Error, CustomStringConvertible {
    let description: String
  }

  /// Measures boots with and without a pond, alternating between the two.
  ///
  /// - Parameter rounds: The number of rounds to measure after some warm-up rounds.
  /// - Returns: The times in milliseconds.
  /// - Throws: ``NotReady``, or another error thrown by a boot.
  func compared(rounds: Int) async throws -> Comparison {
    var comparison = Comparison()
    let warmUp = 5
    for round in 0..<warmUp + rounds {
      var (pond, hand) = (Duration.zero, Duration.zero)
      // The first boot of a round finds cold caches.
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

  /// Returns settings like the program's own, with a database that does not exist yet.
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
    // In the hand-written boot, the work after the doors have opened is not measured. So the time
    // of this work, up to the end of the boot, is subtracted here.
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
