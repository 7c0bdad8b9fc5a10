/// A named part of an outcome, of one pebble: *failed as locked*, *succeeded with heads*.
///
/// Defined with ``Pebble/failed(_:_:)``, ``Pebble/succeeded(_:_:)``, `Pebble.is(_:)` and
/// ``Pebble/timedOut``, which give a condition to use like any other. This is how a case is told
/// where there is no closure: in records, events and files, and by those who call bodies elsewhere.
public enum PebbleCase: Sendable, Hashable {
  /// A part of *failed*, by its name.
  case failed(String)

  /// A part of *succeeded*, by its name.
  case succeeded(String)

  /// An output, as it prints. The values of one pebble exclude each other.
  case `is`(String)

  /// The pebble failed as its time was over.
  case timedOut

  /// Whether it is a part of *failed*; all others are parts of *succeeded*.
  public var isFailure: Bool {
    switch self {
    case .failed, .timedOut: true
    case .succeeded, .is: false
    }
  }

  /// What it is called: its name, the value, or *timed out*.
  public var name: String {
    switch self {
    case .failed(let name), .succeeded(let name), .is(let name): name
    case .timedOut: "timed out"
    }
  }

  /// The outcome that it is a part of.
  package var outcomes: OutcomeSet { isFailure ? .failed : .succeeded }

  /// Whether it is one of values that exclude each other.
  package var isValue: Bool {
    if case .is = self { true } else { false }
  }
}

extension PebbleCase: CustomStringConvertible {
  /// As Swift source, behind a pebble: `failed("locked")`, `is("heads")`, `timedOut`.
  public var description: String {
    switch self {
    case .failed(let name): "failed(\(name.swiftLiteral))"
    case .succeeded(let name): "succeeded(\(name.swiftLiteral))"
    case .is(let name): "is(\(name.swiftLiteral))"
    case .timedOut: "timedOut"
    }
  }
}
