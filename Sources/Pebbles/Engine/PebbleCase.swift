/// A named kind of success or failure of one pebble: *failed as locked*, *succeeded with heads*.
///
/// A case is defined with ``Pebble/failed(_:_:)``, ``Pebble/succeeded(_:_:)``, `Pebble.is(_:)` or
/// ``Pebble/timedOut``, which return a condition. `PebbleCase` identifies a case wherever its
/// closure is not available, for example in records, events and files, or in a program that runs
/// bodies in another process.
public enum PebbleCase: Sendable, Hashable {
  /// A kind of failure, identified by its name.
  case failed(String)

  /// A kind of success, identified by its name.
  case succeeded(String)

  /// A success with a certain output, identified by the printed form of the output. At most one of
  /// a pebble's `is` cases holds.
  case `is`(String)

  /// A failure by timeout.
  case timedOut

  /// Whether the case is a kind of failure. All other cases are kinds of success.
  public var isFailure: Bool {
    switch self {
    case .failed, .timedOut: true
    case .succeeded, .is: false
    }
  }

  /// The name of the case. For a success that is identified by its output, this is the printed form
  /// of the output; for a failure by timeout, it is *timed out*.
  public var name: String {
    switch self {
    case .failed(let name), .succeeded(let name), .is(let name): name
    case .timedOut: "timed out"
    }
  }

  /// The outcome to which the case belongs, as a set.
  package var outcomes: OutcomeSet { isFailure ? .failed : .succeeded }

  /// Whether the case is a success with a certain output. At most one of a pebble's `is` cases
  /// holds.
  package var isValue: Bool {
    if case .is = self { true } else { false }
  }
}

extension PebbleCase: CustomStringConvertible {
  /// The case as Swift source, as written after the handle of a pebble and a period:
  /// `failed("locked")`, `is("heads")`, `timedOut`.
  public var description: String {
    switch self {
    case .failed(let name): "failed(\(name.swiftLiteral))"
    case .succeeded(let name): "succeeded(\(name.swiftLiteral))"
    case .is(let name): "is(\(name.swiftLiteral))"
    case .timedOut: "timedOut"
    }
  }
}
