// Conditions on the error or the output of a pebble, in addition to those on its outcome.
extension Pebble {
  /// Returns a condition that is true when the pebble has failed with an error that satisfies
  /// `holds`, and false once the pebble has settled in any other way.
  ///
  /// ```swift
  /// let locked = database.failed("locked") { ($0 as? StoreError) == .locked }
  /// pond.pebble("showUnlock", when: locked) { … }
  /// pond.pebble("showBroken", when: database.failed && !locked) { … }
  /// ```
  ///
  /// Each call adds a *case* to the pond, so store the condition and reuse it. It is a fault to
  /// give two cases of the same pebble and outcome the same name, or to give a pebble more than 64
  /// cases; ``Pond/run(given:only:clock:within:learningFrom:holding:detached:)`` reports faults as
  /// a ``PondError``.
  ///
  /// `holds` is called at most once per run, just before the pebble settles, with the error of the
  /// last attempt. It is called outside of any lock, before the pebble releases its resources, and
  /// even if the run has been cancelled by then. It is not called if the pebble succeeded or was
  /// skipped, or if it timed out before its body threw an error; see ``timedOut``. The pebble does
  /// not settle before `holds` returns. Neither the pebble's timeout nor the time limits of the run
  /// and of a shutdown apply to `holds`, so it must be quick. The closure must not capture the
  /// pond, because the pond keeps a reference to the closure.
  ///
  /// - Parameters:
  ///   - name: The name of the case in reports and pictures.
  ///   - holds: A closure that returns whether an error belongs to the case.
  /// - Returns: A condition that is true if the case holds.
  /// - Complexity: O(cases of the pebble).
  public func failed(
    _ name: String, _ holds: @escaping @Sendable (any Error) -> Bool
  ) -> Condition {
    condition(.failed(name), .error(holds))
  }

  /// Returns a condition that is true when the pebble has succeeded with an output that satisfies
  /// `holds`, and false once the pebble has settled in any other way.
  ///
  /// ```swift
  /// pond.pebble("beta", when: settings.succeeded("beta") { $0.isBeta }) { … }
  /// ```
  ///
  /// Each call adds a case to the pond; the same rules apply as for ``failed(_:_:)``. For a
  /// service, `holds` receives the output with which the service first became ready. When a run
  /// resumes an earlier run, `holds` is called again for each output that can be kept, sometimes
  /// more than once.
  ///
  /// - Parameters:
  ///   - name: The name of the case in reports and pictures.
  ///   - holds: A closure that returns whether an output belongs to the case.
  /// - Returns: A condition that is true if the case holds.
  /// - Complexity: O(cases of the pebble).
  public func succeeded(
    _ name: String, _ holds: @escaping @Sendable (Output) -> Bool
  ) -> Condition {
    condition(.succeeded(name), .asking(holds))
  }

  /// A condition that is true when the pebble has failed because it timed out, and false once the
  /// pebble has settled in any other way.
  ///
  /// A pebble times out if its last attempt, the run or a shutdown exceeds a time limit. The pebble
  /// then fails with ``PebbleTimeout``. An error of this type that the body itself throws, for
  /// example after a timeout in another run, does not count.
  ///
  /// The condition is a case, like the cases of ``failed(_:_:)``; each pebble has at most one case
  /// of this kind.
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
  /// Returns a condition that is true when the output of the pebble is equal to a value, and false
  /// once the pebble has settled in any other way.
  ///
  /// ```swift
  /// pond.pebble("retry", when: status.is(503)) { … }
  /// ```
  ///
  /// Each value adds a case to the pebble. At most one of these cases holds: the case for the first
  /// value that is equal to the output. Each case is named after the printed value, and it is a
  /// fault if two unequal values print identically.
  ///
  /// - Parameter value: The value to compare the output with.
  /// - Returns: A condition that is true if the output is equal to the value.
  /// - Complexity: O(cases of the pebble).
  public func `is`(_ value: Output) -> Condition {
    reference.definition.condition(of: reference) { $0.place(of: value) }
  }
}

extension Pebble where Output: Equatable & CaseIterable {
  /// Returns a condition that is true when the output of the pebble is equal to a value of a
  /// `CaseIterable` type, and false once the pebble has settled in any other way.
  ///
  /// ```swift
  /// enum Side: CaseIterable { case heads, tails }
  /// let flip = pond.pebble("flip") { Side.allCases.randomElement()! }
  /// pond.pebble("won", when: flip.is(.heads)) { … }
  /// pond.pebble("lost", when: flip.is(.tails)) { … }
  /// ```
  ///
  /// A pebble can have at most 64 cases. If every value of the type gets a case, exactly one of
  /// these cases holds when the pebble succeeds, and analyses can rely on this. If the output is
  /// nevertheless not in `allCases`, no case holds, and ``Report/check()`` throws.
  ///
  /// - Parameter value: The value to compare the output with.
  /// - Returns: A condition that is true if the output is equal to the value.
  /// - Complexity: O(*v* · *c*), where *v* is the number of values and *c* the number of cases of
  ///   the pebble.
  public func `is`(_ value: Output) -> Condition {
    // Takes at most one value more than is allowed, because the collection may be infinite.
    let values = Array(Output.allCases.prefix(CaseList.most + 1))
    return condition(value, amongAll: values)
  }
}

extension Pebble where Output == Bool {
  /// Returns a condition that is true when the output of the pebble is equal to a Boolean value,
  /// and false once the pebble has settled in any other way.
  ///
  /// If the pebble succeeds, exactly one of two cases holds: the case for `true` or the case for
  /// `false`.
  ///
  /// - Parameter value: The value to compare the output with.
  /// - Returns: A condition that is true if the output is equal to the value.
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
        all.markExhaustive()
        cases = all
      }
      return cases.place(of: value)
    }
  }
}

extension CaseQuestions {
  /// Returns the position of the case for a value, adding the case if it does not exist yet; `nil`
  /// if the pebble has no room for another case.
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
