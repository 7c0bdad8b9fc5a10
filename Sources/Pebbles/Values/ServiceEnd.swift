/// How a service ended after it had been ready.
public struct ServiceEnd: Sendable {
  /// When, as an offset from the start of the run.
  public let time: Duration

  /// What its body threw; `nil` if it returned.
  public let error: (any Error)?
}
