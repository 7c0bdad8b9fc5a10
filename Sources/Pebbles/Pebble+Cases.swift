// What is decided by what came out, and not only by how.
extension Pebble {
  /// True when the pebble has failed with an error for which `holds` is true; false once it has
  /// ended otherwise.
  ///
  /// ```swift
  /// let locked = database.failed("locked") { ($0 as? StoreError) == .locked }
  /// pond.pebble("showUnlock", when: locked) { … }
  /// pond.pebble("showBroken", when: database.failed && !locked) { … }
  /// ```
  ///
  /// Adds a *case* to the pond: keep the condition, and use it as often as wanted. A second case of
  /// the same pebble, outcome and name is a fault, which
  /// ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)`` reports as a
  /// ``PondError``, and so are more than 64 cases of a pebble.
  ///
  /// `holds` is asked once in a run, as the pebble settles: with the final error, after the last
  /// attempt, outside of any lock, and before what the pebble uses is given back; also if the run
  /// has been cancelled by then. It is not asked if the pebble succeeded, was skipped, or failed
  /// because its time was over, and nothing was thrown: see ``timedOut``. Until it returns, the
  /// pebble has not settled, and no limit covers it, neither a timeout nor that of the run or of a
  /// shutdown: it has to be quick. It must not hold on to the pond, which holds on to it.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it.
  ///   - holds: Whether an error belongs to the case.
  /// - Returns: The condition that the case holds.
  /// - Complexity: O(cases of the pebble).
  public func failed(
    _ name: String, _ holds: @escaping @Sendable (any Error) -> Bool
  ) -> Condition {
    condition(.failed(name), .error(holds))
  }

  /// True when the pebble has succeeded with an output for which `holds` is true; false once it has
  /// ended otherwise.
  ///
  /// ```swift
  /// pond.pebble("beta", when: settings.succeeded("beta") { $0.isBeta }) { … }
  /// ```
  ///
  /// Adds a case to the pond, as ``failed(_:_:)`` does, with the same rules. Of a service, the
  /// output is what it first was ready with.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it.
  ///   - holds: Whether an output belongs to the case.
  /// - Returns: The condition that the case holds.
  /// - Complexity: O(cases of the pebble).
  public func succeeded(
    _ name: String, _ holds: @escaping @Sendable (Output) -> Bool
  ) -> Condition {
    condition(.succeeded(name), .asking(holds))
  }

  /// True when the pebble has failed because its time was over: with a ``PebbleTimeout`` of its
  /// own, be it that of its last attempt, of the run or of a shutdown. False once it has ended
  /// otherwise.
  ///
  /// A case as those of ``failed(_:_:)`` are; the pond knows only one of them for each pebble.
  ///
  /// - Complexity: O(cases of the pebble).
  public var timedOut: Condition {
    reference.definition.condition(of: reference) { cases in
      cases.list.place(of: .timedOut) ?? cases.append(.timedOut, .timeout)
    }
  }

  private func condition(_ one: PebbleCase, _ question: CaseQuestions.Question) -> Condition {
    reference.definition.condition(of: reference) { $0.append(one, question) }
  }
}

extension Pebble where Output: Equatable {
  /// True when the output of the pebble is equal to this value; false once it has ended otherwise.
  ///
  /// ```swift
  /// pond.pebble("retry", when: status.is(503)) { … }
  /// ```
  ///
  /// The values that were asked for of a pebble exclude each other: the first that is equal to the
  /// output is its case. They are called what they print as, and values that are not equal
  /// and print alike are a fault.
  ///
  /// - Parameter value: The value.
  /// - Returns: The condition that it is the output.
  /// - Complexity: O(cases of the pebble).
  public func `is`(_ value: Output) -> Condition {
    reference.definition.condition(of: reference) { $0.place(of: value) }
  }
}

extension Pebble where Output: Equatable & CaseIterable {
  /// True when the output of the pebble is this value; false once it has ended otherwise.
  ///
  /// ```swift
  /// enum Side: CaseIterable { case heads, tails }
  /// let flip = pond.pebble("flip") { Side.allCases.randomElement()! }
  /// pond.pebble("won", when: flip.is(.heads)) { … }
  /// pond.pebble("lost", when: flip.is(.tails)) { … }
  /// ```
  ///
  /// Exactly one of all values is the case if the pebble succeeds, as long as they are among its at
  /// most 64 cases: analysis proves with that. An output that is none of them is no case, and fails
  /// ``Report/check()``.
  ///
  /// - Parameter value: The value.
  /// - Returns: The condition that it is the output.
  /// - Complexity: O(values).
  public func `is`(_ value: Output) -> Condition {
    // One more than there may be, and no further: a collection need not end.
    let values = Array(Output.allCases.prefix(CaseList.most + 1))
    return condition(value, amongAll: values)
  }
}

extension Pebble where Output == Bool {
  /// True when the output of the pebble is this value; false once it has ended otherwise.
  ///
  /// Exactly one of `true` and `false` is the case if the pebble succeeds.
  ///
  /// - Parameter value: The value.
  /// - Returns: The condition that it is the output.
  /// - Complexity: O(cases of the pebble).
  public func `is`(_ value: Bool) -> Condition { condition(value, amongAll: [true, false]) }
}

extension Pebble where Output: Equatable {
  fileprivate func condition(_ value: Output, amongAll values: [Output]) -> Condition {
    reference.definition.condition(of: reference) { cases in
      guard !cases.list.isExhaustive else { return cases.place(of: value) }
      var all = cases
      let places = values.map { all.place(of: $0) }
      if all.list.cases.count <= CaseList.most, !places.contains(nil) {
        all.valuesAreAll()
        cases = all
      }
      return cases.place(of: value)
    }
  }
}

extension CaseQuestions {
  /// Where a value stands, which is added if it is new.
  fileprivate mutating func place<Value: Equatable & Sendable>(of value: Value) -> Int? {
    let text = "\(value)"
    return place(ofValue: OutputBox(value), printedAs: text)
      ?? append(.is(text), .asking { $0 == value })
  }
}

extension CaseQuestions.Question {
  fileprivate static func asking<Output: Sendable>(
    _ holds: @escaping @Sendable (Output) -> Bool
  ) -> Self {
    .output { output in output.output(as: Output.self).map(holds) ?? false }
  }
}
