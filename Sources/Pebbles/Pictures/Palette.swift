/// A pebble's colours in a run, and the word for its status.
struct Palette {
  let fill: String
  let line: String
  let text: String

  /// The word for the status of the pebble.
  let word: String
}

extension PebbleStatus {
  /// Returns the colours for this status. All pictures take their colours from here.
  ///
  /// - Parameter isBlocked: Whether the pebble was blocked. Ignored unless the pebble was skipped
  ///   by its condition.
  /// - Returns: The fill, line and text colours, and the word for the status.
  func palette(isBlocked: Bool) -> Palette {
    switch self {
    case .waiting: Palette(fill: "#ffffff", line: "#37474f", text: "#263238", word: "waiting")
    case .running: Palette(fill: "#e3f2fd", line: "#1565c0", text: "#0d47a1", word: "running")
    case .succeeded: Palette(fill: "#e8f5e9", line: "#2e7d32", text: "#1b5e20", word: "succeeded")
    case .failed: Palette(fill: "#ffebee", line: "#c62828", text: "#b71c1c", word: "failed")
    case .skippedByStall: .blocked("stalled")
    case .skippedByCondition: isBlocked ? .blocked("blocked") : .skipped("not needed")
    case .skippedByCancellation: .skipped("cancelled")
    case .skippedAsDisabled: .skipped("disabled")
    case .skippedAsNotAskedFor: .skipped("not asked for")
    case .skippedByHolder: .blocked("kept waiting")
    }
  }
}

extension Palette {
  fileprivate static func blocked(_ word: String) -> Palette {
    Palette(fill: "#fff8e1", line: "#ff8f00", text: "#e65100", word: word)
  }

  fileprivate static func skipped(_ word: String) -> Palette {
    Palette(fill: "#f5f5f5", line: "#9e9e9e", text: "#616161", word: word)
  }
}
