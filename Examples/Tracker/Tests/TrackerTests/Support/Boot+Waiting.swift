import Pebbles
import Testing

@testable import TrackerCore

extension Limits {
  /// Time limits that are long enough even for a busy machine.
  static let patient: Limits = {
    let day = Duration.seconds(86_400)
    var limits = Limits()
    (limits.listening, limits.opening, limits.feed, limits.migration) = (day, day, day, day)
    (limits.drain, limits.shutdown, limits.drainDelay) = (day, day, .zero)
    return limits
  }()
}

extension Boot {
  /// Waits until the server listens, which is long before the boot is over, and returns its port.
  func port(in run: Run) async throws -> Int {
    while site.port == nil, run.status.phase == .booting { await Task.yield() }
    return try #require(site.port)
  }
}
