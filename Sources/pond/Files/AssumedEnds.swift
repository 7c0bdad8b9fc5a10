import Pebbles
import PebblesAnalysis

/// The pebble outcomes that the user assumes on the command line, optionally combined with the
/// recorded outcomes of a run.
struct AssumedEnds {
  enum End {
    case failed([PebbleCase])
    case succeeded([PebbleCase])
    case disabled
  }

  private var ends: [(pebble: PebbleID, end: End)] = []

  var isEmpty: Bool { ends.isEmpty }

  mutating func assume(_ pebble: PebbleID, _ end: End) {
    ends.append((pebble, end))
  }

  /// Returns the assumed outcomes as assumptions about a run in which all other bodies succeed. The
  /// message of each assumed failure is `error`.
  func assumptions(error: String) -> [Assumption] {
    ends.map { pebble, end in
      switch end {
      case .failed(let cases): .fails(pebble, as: cases, error: error)
      case .succeeded(let cases): .succeeds(pebble, as: cases)
      case .disabled: .disabled(pebble)
      }
    }
  }

  /// Returns the assumptions for a simulated run. Assumed outcomes take precedence. Every other
  /// body ends as in the recorded run, and pebbles that the recorded run left out are left out
  /// again. A body that the recorded run did not call, or that was cancelled with that run,
  /// succeeds if the simulated run calls it.
  func assumptions(besides run: RecordedRun) -> [Assumption] {
    let kept = others(in: run).compactMap { pebble -> Assumption? in
      switch pebble.outcome {
      case .succeeded where pebble.cases.isEmpty: nil
      case .succeeded: .succeeds(.named(pebble.name), as: pebble.cases)
      case .failed where pebble.wasCancelled: nil
      case .failed: .fails(.named(pebble.name), as: pebble.cases)
      // A pebble that was left out of the run is left out of the simulated run, too.
      case .skipped(.disabled): .disabled(.named(pebble.name))
      case .skipped(.notAskedFor): .notAskedFor(.named(pebble.name))
      case .skipped: nil
      }
    }
    return kept + assumptions(error: "")
  }

  /// Returns a remark about pebbles that are assumed to succeed because they had not ended when the
  /// recorded run was cancelled or read; `nil` if there are no such pebbles.
  func remark(besides run: RecordedRun) -> String? {
    let isGuessed = others(in: run).contains {
      $0.outcome == .skipped(.cancelled) || $0.wasCancelled
    }
    let what = run.unended == nil ? "were cancelled with the run" : "had not ended"
    return isGuessed ? "pebbles that \(what) are assumed to succeed if they are called" : nil
  }

  /// Returns the pebbles of a run for which no outcome is assumed.
  private func others(in run: RecordedRun) -> [RecordedPebble] {
    let said = Set(ends.map(\.pebble.description))
    return run.pebbles.filter { !said.contains($0.name) }
  }
}
