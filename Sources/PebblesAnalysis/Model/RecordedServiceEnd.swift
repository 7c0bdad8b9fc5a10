/// How a service ended after it had been ready, as data.
public struct RecordedServiceEnd: Sendable, Hashable {
  /// When, as an offset from the start of the run; perhaps after the end of that.
  public let time: Duration

  /// What its error said; `nil` if its body returned.
  public let error: String?

  /// Makes a record of the end of a service.
  ///
  /// - Parameters:
  ///   - time: When, as an offset from the start of the run.
  ///   - error: What its error said; `nil` if its body returned.
  public init(time: Duration, error: String? = nil) {
    self.time = time
    self.error = error
  }
}
