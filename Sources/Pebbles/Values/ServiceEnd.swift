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
