import Pebbles

/// The pebbles of a definition, to be found by their names.
struct NamedPebbles {
  let names: [String]
  private let definition: PondDefinition
  private let positions: [String: Int]

  /// The cases of pebbles that have any; `nil` if those that are mentioned are added.
  private let cases: [Int: CaseList]?

  /// - Parameters:
  ///   - names: The names.
  ///   - definition: What the pebbles are part of.
  ///   - cases: The cases of pebbles that have any; if not given, those that are mentioned are
  ///     added.
  /// - Complexity: O(pebbles).
  init(
    _ names: some Sequence<String>, of definition: PondDefinition, cases: [Int: CaseList]? = nil
  ) {
    self.cases = cases
    self.names = Array(names)
    self.definition = definition
    positions = Dictionary(zip(self.names, 0...)) { first, _ in first }
  }

  subscript(name: String) -> PebbleReference? {
    positions[name].map { PebbleReference(definition: definition, index: UInt32($0)) }
  }

  /// The condition that a case of a pebble holds; `nil` if it does not have that.
  func condition(_ one: PebbleCase, of pebble: PebbleReference) -> Condition? {
    guard let cases else { return definition.condition(of: pebble, adding: one) }
    return cases[Int(pebble.index)]?.place(of: one).map {
      Condition(.atom(Atom(pebble: pebble, case: $0, of: one)))
    }
  }

  /// The cases that a pebble has.
  func cases(of pebble: PebbleReference) -> [PebbleCase] {
    cases?[Int(pebble.index)]?.cases ?? []
  }
}

extension PondModel {
  var namedPebbles: NamedPebbles {
    NamedPebbles(pond.graph.names, of: pond.graph.definition, cases: pond.graph.cases)
  }
}
