/// The end of a service that had been ready.
public struct ServiceEnd: Sendable {
  /// The time of the end, as an offset from the start of the run.
  public let time: Duration

  /// The error that the body threw; `nil` if it returned.
  public let error: (any Error)?

  /// Whether the run had asked the service to stop.
  public let wasAsked: Bool
}

/// A restart of a service: a call to its body after the service had been ready and had ended.
public struct ServiceRestart: Sendable {
  /// The time at which the body was called again, as an offset from the start of the run.
  public let time: Duration

  /// The number of this call among all calls to the body, including the calls before the service
  /// was first ready. In a run continued from a journal, restarts in earlier processes are not
  /// counted.
  public let attempt: Int

  /// The error that the previous call threw; `nil` if it returned.
  public let error: (any Error)?
}

/// A service that has ended permanently without having been asked to stop. It belongs to a run
/// inside a pebble, at any depth of nesting.
public struct ServiceDownInside: Sendable {
  /// The names of the pebbles that lead to the service, outermost first: the pebbles whose bodies
  /// started the nested runs, and then the service itself.
  public let path: [String]

  /// The end of the service. Its time is an offset from the start of the run that contains the
  /// service.
  public let end: ServiceEnd
}

extension ServiceDownInside: CustomStringConvertible {
  /// The end of the service, as a clause in which *it* refers to the enclosing pebble, such as
  /// `http inside it ended without having been asked to`. Long names and errors are truncated.
  public var description: String {
    let names = path.map { $0.shortName }.joined(separator: "/")
    let error = end.error.map { ": \("\($0)".truncated(to: 500).singleLine)" } ?? ""
    return "\(names) inside it ended without having been asked to\(error)"
  }
}
