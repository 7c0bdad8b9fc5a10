/// How a service ended after it had been ready.
public struct ServiceEnd: Sendable {
  /// When, as an offset from the start of the run.
  public let time: Duration

  /// What its body threw; `nil` if it returned.
  public let error: (any Error)?

  /// Whether the run had asked it to stop.
  public let wasAsked: Bool
}

/// A call of the body of a service that had been ready and had ended.
public struct ServiceRestart: Sendable {
  /// When the body was called again, as an offset from the start of the run.
  public let time: Duration

  /// Which call of the body this is, counted on from those that it took to be ready at first.
  public let attempt: Int

  /// What the call before threw; `nil` if it returned.
  public let error: (any Error)?
}

/// A service of a run inside of a pebble, however deep, that has ended for good without having been
/// asked to.
public struct ServiceDownInside: Sendable {
  /// The names of the pebbles that lead to it: those in whose bodies the runs were started that are
  /// further in, and its own.
  public let path: [String]

  /// How it ended. The time is an offset from the start of its own run.
  public let end: ServiceEnd
}

extension ServiceDownInside: CustomStringConvertible {
  /// What happened, as a clause about the pebble that it is inside of. Long names and errors are
  /// cut.
  public var description: String {
    let names = path.map { $0.shortName }.joined(separator: "/")
    let error = end.error.map { ": \("\($0)".truncated(to: 500).singleLine)" } ?? ""
    return "\(names), inside of it, ended without having been asked to\(error)"
  }
}
