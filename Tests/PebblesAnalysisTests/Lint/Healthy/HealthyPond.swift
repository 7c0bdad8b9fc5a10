import Pebbles
import Testing

/// A pond without mistakes, as a user would write it or as it would be converted from the file of
/// another tool.
struct HealthyPond: Sendable, CustomTestStringConvertible {
  let pond: Pond

  var testDescription: String { pond.name }

  init(_ name: String, onFailure policy: FailurePolicy = .ignore, _ define: (Pond) -> Void) {
    pond = Pond(name, onFailure: policy)
    define(pond)
  }

  static let all = composeFiles + argoWorkflows + ciWorkflows + systemdUnits + appBoots
}
