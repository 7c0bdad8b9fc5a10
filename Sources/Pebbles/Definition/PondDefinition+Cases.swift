extension PondDefinition {
  /// The condition that a case of a pebble holds. If it is new, it is added.
  ///
  /// - Parameters:
  ///   - pebble: One of this definition.
  ///   - find: Finds the place of the case, or adds it; `nil` if there is no room.
  /// - Returns: The condition; one that is never true if there is no room.
  func condition(
    of pebble: PebbleReference, _ find: (inout CaseQuestions) -> Int?
  ) -> Condition {
    // Out here, as it calls user code: to print a value, or to compare it.
    var cases = state.withLock { $0.cases[pebble.index] ?? CaseQuestions() }
    while true {
      let known = cases.list.cases.count
      let place = find(&cases)
      let found = state.withLock { state -> CaseQuestions? in
        let now = state.cases[pebble.index] ?? CaseQuestions()
        guard now.list.cases.count == known else { return now }
        // To a pond that is gone nothing is added.
        guard !state.isDiscarded, cases.list != now.list || cases.problems != now.problems else {
          return nil
        }
        state.cases[pebble.index] = cases
        state.revision += 1
        return nil
      }
      guard let found else {
        guard let place, place < known || !state.withLock(\.isDiscarded) else { return .never }
        return Condition(.atom(Atom(pebble: pebble, case: place, of: cases.list.cases[place])))
      }
      // Somebody else has added one meanwhile.
      cases = found
    }
  }

  /// The condition that a case of a pebble holds, which is added without what decides it if it is
  /// new.
  package func condition(of pebble: PebbleReference, adding one: PebbleCase) -> Condition {
    condition(of: pebble) { $0.list.place(of: one) ?? $0.append(one, .unknown) }
  }

  /// Gives pebbles their cases, without what decides them.
  package func setCases(_ cases: [Int: CaseList]) {
    state.withLock { state in
      for (pebble, list) in cases { state.cases[UInt32(pebble)] = CaseQuestions(list) }
      state.revision += 1
    }
  }

  /// The cases that a pebble has now.
  package func cases(at index: Int) -> CaseList {
    state.withLock { $0.cases[UInt32(index)]?.list ?? CaseList() }
  }
}
