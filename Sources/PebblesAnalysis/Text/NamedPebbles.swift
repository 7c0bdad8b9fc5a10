import Pebbles

/// A lookup table that finds the pebbles of a definition by name.
struct NamedPebbles {
  let names: [String]
  private let definition: PondDefinition
  private let positions: [String: Int]

  /// The cases of each pebble that has cases, keyed by position. If this value is `nil`, cases
  /// mentioned in parsed conditions are added to the definition.
  private let cases: [Int: CaseList]?

  /// Creates a lookup table. If a name occurs twice, the table finds the first pebble with this
  /// name.
  ///
  /// - Parameters:
  ///   - names: The names in definition order.
  ///   - definition: The definition of the pebbles.
  ///   - cases: The cases of each pebble that has cases, keyed by position. If this argument is
  ///     `nil`, cases mentioned in parsed conditions are added to the definition.
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

  /// Returns a condition that is true if a case of a pebble holds. If no cases were given to the
  /// initializer, a new case is added to the definition; otherwise, the result is `nil` if the
  /// pebble does not have the case.
  func condition(_ one: PebbleCase, of pebble: PebbleReference) -> Condition? {
    guard let cases else { return definition.condition(of: pebble, adding: one) }
    return cases[Int(pebble.index)]?.place(of: one).map {
      Condition(.atom(Atom(pebble: pebble, case: $0, of: one)))
    }
  }

  /// Returns the cases of a pebble that were passed to the initializer; empty if there are none.
  func cases(of pebble: PebbleReference) -> [PebbleCase] {
    cases?[Int(pebble.index)]?.cases ?? []
  }
}

extension PondModel {
  var namedPebbles: NamedPebbles {
    NamedPebbles(pond.graph.names, of: pond.graph.definition, cases: pond.graph.cases)
  }
}
