/// Something a pebble can take as an input: a ``Pebble``, or its ``Pebble/result``,
/// ``Pebble/optional`` or ``Pebble/outcome``.
public protocol PebbleInput<Value>: Sendable {
  /// What the body of the dependent pebble is handed.
  associatedtype Value: Sendable

  /// The pebble read, what it must have done, and how its output is handed on.
  var need: Need<Value> { get }
}

/// One input of a pebble: which pebble it reads, the condition that implies, and how the value is
/// made.
public struct Need<Value: Sendable>: PebbleInput {
  /// What must hold before the input has a value.
  public let condition: Condition

  let pebble: PebbleReference
  private let read: @Sendable (RunValues, Int) throws -> Value

  init(
    _ pebble: PebbleReference, _ outcomes: OutcomeSet,
    read: @escaping @Sendable (RunValues, Int) throws -> Value
  ) {
    self.pebble = pebble
    self.read = read
    condition = Condition(.atom(Atom(pebble: pebble, outcomes: outcomes)))
  }

  // Throws only where outputs come from another process.
  func value(in inputs: BodyInputs) throws -> Value {
    try read(inputs.values, inputs.position(of: pebble))
  }

  /// The input itself.
  public var need: Need<Value> { self }
}

extension Pebble: PebbleInput {
  /// The output; the dependent pebble runs only if this one succeeds.
  public var need: Need<Output> {
    Need(reference, .succeeded) { values, index in
      guard let output = values.output(at: index, as: Output.self) else {
        return try values.decodedOutput(at: index, as: Output.self)
      }
      return output
    }
  }

  /// The output or the error; the dependent pebble runs once this one has *completed*, and is
  /// skipped when this one is skipped.
  public var result: Need<Result<Output, any Error>> {
    Need(reference, .completed) { values, index in
      if let output = values.output(at: index, as: Output.self) { return .success(output) }
      guard let error = values.error(at: index) else {
        return .success(try values.decodedOutput(at: index, as: Output.self))
      }
      return .failure(error)
    }
  }

  /// The output, or `nil` if this pebble failed or was skipped; the dependent pebble waits only for
  /// it to *settle*.
  public var optional: Need<Output?> {
    Need(reference, .settled) { values, index in
      if let output = values.output(at: index, as: Output.self) { return output }
      guard values.state.status(of: index) == .succeeded else { return nil }
      return try values.decodedOutput(at: index, as: Output.self)
    }
  }

  /// How this pebble ended, with the error or the reason of a skip; the dependent pebble waits only
  /// for it to *settle*.
  ///
  /// ```swift
  /// pond.pebble("showOffline", needs: launches.outcome, when: !launches.succeeded) { launches in
  ///   await screens.showOffline(because: launches)
  /// }
  /// ```
  public var outcome: Need<Outcome> {
    Need(reference, .settled) { values, index in
      guard let outcome = values.outcome(at: index) else {
        preconditionFailure("an outcome was read before its pebble settled")
      }
      return outcome
    }
  }
}
