extension ReadinessState {
  /// Returns the reason that a pebble was skipped; `nil` if it was not skipped.
  package func skipReason(of pebble: Int, _ names: StableSlice<String>) -> SkipReason? {
    switch status(of: pebble) {
    case .waiting, .running, .succeeded, .failed: nil
    case .skippedByCondition: .conditionFalse(decidedBy: cause(of: pebble).map { names[$0] })
    case .skippedByStall: .stalled(waitingOn: stall(of: pebble).map { names[$0] })
    case .skippedByCancellation: .cancelled
    case .skippedAsDisabled: .disabled
    case .skippedAsNotAskedFor: .notAskedFor
    case .skippedByHolder: .resourceHeld(by: cause(of: pebble).map { names[$0] } ?? "")
    }
  }
}
