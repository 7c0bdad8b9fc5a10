extension PondDefinition {
  /// Finds a case of a pebble, or adds it if it is new, and returns a condition that is true if the
  /// case holds.
  ///
  /// - Parameters:
  ///   - pebble: A pebble of this definition.
  ///   - find: A closure that returns the position of the case, after adding the case if it is new;
  ///     `nil` if the pebble cannot have another case.
  /// - Returns: The condition; if the case could not be added, a condition that is never true.
  func condition(
    of pebble: PebbleReference, _ find: (inout CaseQuestions) -> Int?
  ) -> Condition {
    // Outside of the lock, because it calls user code: to print a value, or to compare it.
    var cases = state.withLock { $0.cases[pebble.index] ?? CaseQuestions() }
    while true {
      let known = cases.list.cases.count
      let place = find(&cases)
      let found = state.withLock { state -> CaseQuestions? in
        let now = state.cases[pebble.index] ?? CaseQuestions()
        guard now.list.cases.count == known else { return now }
        // Nothing is added to a pond that is gone.
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
      // Another thread has added a case meanwhile.
      cases = found
    }
  }

  /// Finds a case of a pebble, or adds it without its closure, and returns a condition that is true
  /// if the case holds.
  package func condition(of pebble: PebbleReference, adding one: PebbleCase) -> Condition {
    condition(of: pebble) { $0.list.place(of: one) ?? $0.append(one, .unknown) }
  }

  /// Sets the cases of pebbles, without the closures that decide them.
  package func setCases(_ cases: [Int: CaseList]) {
    state.withLock { state in
      for (pebble, list) in cases { state.cases[UInt32(pebble)] = CaseQuestions(list) }
      state.revision += 1
    }
  }

  /// Returns the current cases of a pebble.
  package func cases(at index: Int) -> CaseList {
    state.withLock { $0.cases[UInt32(index)]?.list ?? CaseList() }
  }
}
