/// The colours of pebbles, by how they ended, and what is written in those that did not succeed.
extension PebbleStatus {
  var palette: (fill: String, line: String, word: String) {
    switch self {
    case .waiting: ("#ffffff", "#37474f", "waiting")
    case .running: ("#e3f2fd", "#1565c0", "running")
    case .succeeded: ("#e8f5e9", "#2e7d32", "succeeded")
    case .failed: ("#ffebee", "#c62828", "failed")
    case .skippedByCondition: ("#f5f5f5", "#9e9e9e", "skipped")
    case .skippedByStall: ("#fff8e1", "#ff8f00", "stalled")
    case .skippedByPredicate: ("#f5f5f5", "#9e9e9e", "skipped")
    case .skippedByCancellation: ("#f5f5f5", "#9e9e9e", "cancelled")
    case .skippedAsDisabled: ("#f5f5f5", "#9e9e9e", "disabled")
    }
  }
}
