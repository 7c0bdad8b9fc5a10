/// A variable of a `SymbolicRun`.
package enum ScenarioVariable: Sendable, Hashable {
  /// Whether the body of the pebble succeeds, if it is called.
  case body(Int)

  /// Whether the pebble takes part, if it has a condition `.enabled`.
  case activation(Int)

  /// Whether the case of a row is chosen, if its pebble ends with the outcome of that case; see
  /// `CaseChoices`.
  case `case`(Int)

  /// Whether the run is cancelled before the pebble starts.
  case caught(Int)

  /// Whether the run is cancelled before the body of the pebble has ended, provided that it has
  /// started.
  case late(Int)
}

extension ScenarioVariable {
  /// The value of the variable if all goes well and nothing special happens.
  var usual: Bool {
    switch self {
    case .body, .activation: true
    case .case, .caught, .late: false
    }
  }

  /// Returns the value of the variable in a scenario that is given by its unusual variables.
  func value(unusual: Set<ScenarioVariable>) -> Bool { unusual.contains(self) != usual }
}
