/// A variable of a `SymbolicRun`: a fact that may differ between scenarios.
package enum ScenarioVariable: Sendable, Hashable {
  /// Whether the body of the pebble succeeds, if it is called.
  case body(Int)

  /// Whether a pebble with an `.enabled` condition takes part in the run.
  case activation(Int)

  /// Whether the case at the given row is chosen, provided that the pebble ends with the outcome
  /// that the case belongs to; see `CaseChoices`.
  case `case`(Int)

  /// Whether the run is cancelled after the pebble becomes ready, but before it starts.
  case caught(Int)

  /// Whether the body of the pebble, if it has started, is still running when the run is cancelled.
  case late(Int)
}

extension ScenarioVariable {
  /// The value of the variable in the usual scenario: bodies succeed, pebbles take part, no case is
  /// chosen, and the run is not cancelled.
  var usual: Bool {
    switch self {
    case .body, .activation: true
    case .case, .caught, .late: false
    }
  }

  /// Returns the value of the variable in a scenario where only the given variables have unusual
  /// values.
  func value(unusual: Set<ScenarioVariable>) -> Bool { unusual.contains(self) != usual }
}
