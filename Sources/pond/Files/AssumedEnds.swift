import Pebbles
import PebblesAnalysis

/// The ends of pebbles assumed by the command line, optionally combined with those of a run.
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

  /// Returns the assumptions for a run without other failures.
  func assumptions(error: String) -> [Assumption] {
    ends.map { pebble, end in
      switch end {
      case .failed(let cases): .fails(pebble, as: cases, error: error)
      case .succeeded(let cases): .succeeds(pebble, as: cases)
      case .disabled: .disabled(pebble)
      }
    }
  }

  /// Returns the assumptions for a run that otherwise repeats another one.
  func assumptions(besides run: RecordedRun) -> [Assumption] {
    let said = Set(ends.map(\.pebble.description))
    let kept = run.pebbles.filter { !said.contains($0.name) }.compactMap {
      pebble -> Assumption? in
      switch pebble.outcome {
      case .succeeded where pebble.cases.isEmpty: nil
      case .succeeded: .succeeds(.named(pebble.name), as: pebble.cases)
      case .failed: .fails(.named(pebble.name), as: pebble.cases)
      // A pebble that was left out would be left out again.
      case .skipped(.disabled), .skipped(.notAskedFor): .disabled(.named(pebble.name))
      case .skipped: nil
      }
    }
    return kept + assumptions(error: "")
  }
}
