/// A value that a pebble can take as an input: a ``Pebble``, one of its properties
/// ``Pebble/result``, ``Pebble/optional`` and ``Pebble/outcome``, or an array of such values.
public protocol PebbleInput<Value>: Sendable {
  /// The type of the value that the body of the dependent pebble receives.
  associatedtype Value: Sendable

  /// The condition that the input implies, and the way to read its value.
  var need: Need<Value> { get }
}

/// One input of a pebble: the condition that it implies, and the way to read its value.
public struct Need<Value: Sendable>: PebbleInput {
  /// The condition under which the input has a value.
  public let condition: Condition

  private let read: @Sendable (BodyInputs) throws -> Value

  init(
    _ pebble: PebbleReference, _ outcomes: OutcomeSet,
    read: @escaping @Sendable (RunValues, Int) throws -> Value
  ) {
    self.read = { inputs in try read(inputs.values, inputs.position(of: pebble)) }
    condition = Condition(.atom(Atom(pebble: pebble, outcomes: outcomes)))
  }

  /// Creates an input that combines several inputs. Its value is the array of their values.
  init<Element>(_ needs: [Need<Element>]) where Value == [Element] {
    read = { inputs in try needs.map { try $0.value(in: inputs) } }
    condition = .all(needs.map(\.condition))
  }

  // Throws only if outputs come from another process.
  func value(in inputs: BodyInputs) throws -> Value { try read(inputs) }

  /// The input itself.
  public var need: Need<Value> { self }
}

extension Array: PebbleInput where Element: PebbleInput {
  /// The values of all elements, in order. The dependent pebble runs only if each element has a
  /// value; an empty array imposes no condition.
  ///
  /// ```swift
  /// let pages = (1...3).map { page in pond.pebble("page \(page)") { try await load(page) } }
  /// pond.pebble("book", needs: pages) { pages in bind(pages) }
  /// ```
  public var need: Need<[Element.Value]> { Need(map(\.need)) }
}

extension Pebble: PebbleInput {
  /// The output. The dependent pebble runs only if this pebble succeeds.
  public var need: Need<Output> {
    Need(reference, .succeeded) { values, index in
      guard let output = values.input(from: index, as: Output.self) else {
        return try values.decodedOutput(at: index, as: Output.self)
      }
      return output
    }
  }

  /// The output or the error. The dependent pebble runs once this pebble has *completed*, and is
  /// skipped if this pebble is skipped.
  public var result: Need<Result<Output, any Error>> {
    Need(reference, .completed) { values, index in
      if let output = values.input(from: index, as: Output.self) { return .success(output) }
      guard let error = values.error(at: index) else {
        return .success(try values.decodedOutput(at: index, as: Output.self))
      }
      return .failure(error)
    }
  }

  /// The output, or `nil` if this pebble failed or was skipped. The dependent pebble waits only
  /// until this pebble has *settled*.
  public var optional: Need<Output?> {
    Need(reference, .settled) { values, index in
      if let output = values.input(from: index, as: Output.self) { return output }
      guard values.state.status(of: index) == .succeeded else { return nil }
      return try values.decodedOutput(at: index, as: Output.self)
    }
  }

  /// The outcome, with the error of a failure or the reason for a skip. The dependent pebble waits
  /// only until this pebble has *settled*.
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
