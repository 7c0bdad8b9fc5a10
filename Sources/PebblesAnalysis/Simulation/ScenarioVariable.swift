/// What a variable of a `SymbolicRun` decides.
package enum ScenarioVariable: Sendable, Hashable {
  /// Whether the body of the pebble succeeds, if it is called.
  case body(Int)

  /// Whether the pebble takes part, if it was given `.enabled`.
  case activation(Int)

  /// Whether the case of a row is chosen, if its pebble ends with the outcome that it is a part of:
  /// see `CaseChoices`.
  case `case`(Int)

  /// Whether the run is cancelled before the pebble starts.
  case caught(Int)

  /// Whether the run is cancelled before the body of the pebble has ended, if it has started.
  case late(Int)
}

extension ScenarioVariable {
  /// How it usually is: all goes well, and nothing special is the case.
  var usual: Bool {
    switch self {
    case .body, .activation: true
    case .case, .caught, .late: false
    }
  }

  /// How it is in a scenario that is given by what is unusual in it.
  func value(unusual: Set<ScenarioVariable>) -> Bool { unusual.contains(self) != usual }
}
