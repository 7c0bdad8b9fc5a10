import Pebbles
import Testing

@testable import TrackerCore

extension Limits {
  /// No machine is so busy that something would not end within these.
  static let patient: Limits = {
    let day = Duration.seconds(86_400)
    var limits = Limits()
    (limits.listening, limits.opening, limits.feed, limits.migration) = (day, day, day, day)
    (limits.drain, limits.shutdown, limits.drainDelay) = (day, day, .zero)
    return limits
  }()
}

extension Boot {
  /// On which port the server listens, which it does long before the boot is over.
  func port(in run: Run) async throws -> Int {
    while site.port == nil, run.status.phase == .booting { await Task.yield() }
    return try #require(site.port)
  }
}
