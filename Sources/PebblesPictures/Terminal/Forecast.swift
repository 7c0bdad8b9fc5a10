import Pebbles
import PebblesAnalysis

/// What an earlier run says of one that is under way: how long pebbles take, and how long it will
/// go on.
struct Forecast: Sendable {
  /// By name, how long the pebble took.
  private let durations: [String: Duration]

  /// By name, how long the earlier run went on at least once the pebble had settled: the longest
  /// chain of those that read it.
  private let tails: [String: Duration]

  /// By name, when the pebble ended that had waited for a limit.
  private let endsBehindLimits: [String: Duration]

  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  init(_ earlier: RecordedRun) {
    let pebbles = earlier.pebbles
    let network = earlier.model.pond.network
    var tails = [Duration](repeating: .zero, count: pebbles.count)
    // Later ones first. What a pebble had an influence on settled after it.
    for pebble in pebbles.indices.sorted(by: { pebbles[$0].finished > pebbles[$1].finished }) {
      for reader in network.readers(of: pebble) {
        let (before, after) = (pebbles[pebble], pebbles[reader.pebble])
        guard after.finished > before.finished else { continue }
        let span = after.ready.map { after.finished - $0 } ?? .zero
        tails[pebble] = max(tails[pebble], span + tails[reader.pebble])
      }
    }
    let ran = pebbles.indices.compactMap { place in
      pebbles[place].duration.map { (pebbles[place].name, $0) }
    }
    durations = Dictionary(ran) { first, _ in first }
    let held = pebbles.filter { $0.ready != nil && $0.started != $0.ready }
    endsBehindLimits = Dictionary(held.map { ($0.name, $0.finished) }) { first, _ in first }
    self.tails = Dictionary(zip(pebbles.map(\.name), tails)) { first, _ in first }
  }

  /// How long the pebble is expected to take; `nil` if it did not run in the earlier run.
  func duration(of pebble: String) -> Duration? { durations[pebble] }

  /// How long the run is expected to go on; `nil` if the earlier run says nothing of the pebbles
  /// that have not settled.
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
          // One that waited for a limit does so again, it is to be expected, for as long.
          max(duration, (endsBehindLimits[pebble.name] ?? .zero) - status.elapsed)
        }
      rest = max(rest ?? .zero, own + (tails[pebble.name] ?? .zero))
    }
    return rest
  }

  /// What part of the run is behind it; `nil` as for ``rest(of:)``.
  func part(of status: RunStatus) -> Double? {
    guard let rest = rest(of: status) else { return nil }
    let whole = status.elapsed + rest
    return whole > .zero ? status.elapsed / whole : 0
  }
}

extension RunStatus.State.Kind {
  /// Whether the pebble has its outcome.
  var isSettled: Bool { self == .succeeded || self == .failed || self == .skipped }
}
