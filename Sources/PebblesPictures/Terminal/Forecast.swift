import Pebbles
import PebblesAnalysis

/// A forecast for a run under way, based on an earlier run. It predicts how long pebbles take, and
/// how much time remains until the end of the run.
struct Forecast: Sendable {
  /// The durations of the pebbles that ran in the earlier run, keyed by name.
  private let durations: [String: Duration]

  /// The minimum time from the end of each pebble to the end of the run, keyed by the name of the
  /// pebble. It is the duration of the longest chain of pebbles that followed the pebble in the
  /// earlier run. In such a chain, each pebble reads the previous one.
  private let tails: [String: Duration]

  /// The times at which delayed pebbles ended in the earlier run, keyed by name. A delayed pebble
  /// did not start as soon as it was ready, usually because it waited for a limit.
  private let endsBehindLimits: [String: Duration]

  /// Creates a forecast from an earlier run.
  ///
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  init(_ earlier: RecordedRun) {
    let pebbles = earlier.pebbles
    let network = earlier.model.pond.network
    // Several pebbles can settle at the same time, such as a pebble and those that are skipped
    // because of it. A run that contradicts itself has no settling order.
    let order: [UInt32] = (try? Replay(earlier))?.order.pebbles ?? pebbles.map { _ in 0 }
    func isEarlier(_ one: Int, _ other: Int) -> Bool {
      (pebbles[one].finished, order[one]) < (pebbles[other].finished, order[other])
    }
    var tails = [Duration](repeating: .zero, count: pebbles.count)
    // Pebbles that settled later come first, because a pebble settles before the pebbles that read
    // it.
    for pebble in pebbles.indices.sorted(by: { isEarlier($1, $0) }) {
      for reader in network.readers(of: pebble) where isEarlier(pebble, reader.pebble) {
        let after = pebbles[reader.pebble]
        let span = after.ready.map { after.finished - $0 } ?? .zero
        tails[pebble] = max(tails[pebble], span + tails[reader.pebble])
      }
    }
    let ran = pebbles.indices.compactMap { place in
      pebbles[place].ownDuration.map { (pebbles[place].name, $0) }
    }
    durations = Dictionary(ran) { first, _ in first }
    let held = pebbles.filter { $0.ready != nil && $0.started != $0.ready }
    endsBehindLimits = Dictionary(held.map { ($0.name, $0.finished) }) { first, _ in first }
    self.tails = Dictionary(zip(pebbles.map(\.name), tails)) { first, _ in first }
  }

  /// Returns the expected duration of a pebble; `nil` if it did not run in the earlier run.
  func duration(of pebble: String) -> Duration? { durations[pebble] }

  /// Returns the expected time until the end of the run; `nil` if none of the unsettled pebbles ran
  /// in the earlier run.
  ///
  /// - Complexity: O(pebbles).
  func rest(of status: RunStatus) -> Duration? {
    var rest: Duration?
    for pebble in status.pebbles where !pebble.state.kind.isSettled {
      guard let duration = durations[pebble.name] else { continue }
      let own =
        if let since = pebble.state.since {
          max(duration - max(status.elapsed - since, .zero), .zero)
        } else {
          // A pebble that waited for a limit is expected to end no earlier than in the earlier run.
          max(duration, (endsBehindLimits[pebble.name] ?? .zero) - status.elapsed)
        }
      rest = max(rest ?? .zero, own + (tails[pebble.name] ?? .zero))
    }
    return rest
  }

  /// Returns the elapsed fraction of the run's expected duration; `nil` if ``rest(of:)`` returns
  /// `nil`.
  func fraction(of status: RunStatus) -> Double? {
    guard let rest = rest(of: status) else { return nil }
    let whole = status.elapsed + rest
    return whole > .zero ? status.elapsed / whole : 0
  }
}

extension RunStatus.State.Kind {
  /// Whether a pebble in this state has an outcome.
  var isSettled: Bool { self == .succeeded || self == .failed || self == .skipped }
}
