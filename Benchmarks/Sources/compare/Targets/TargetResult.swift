/// A target of the library, and the value that was measured for it.
struct TargetResult: Codable, Sendable {
  /// The name of the target, short enough for a table.
  let target: String
  /// The subject of the measurement, such as a shape and a size. It distinguishes several results
  /// for the same target.
  let subject: String
  /// The largest value that meets the target.
  let limit: Double
  let measured: Spread?
  /// The corresponding ratio of wall-clock times, if the measured value is a ratio of CPU times. If
  /// the two ratios differ widely, the machine was busy, or the pond and its peer use processors
  /// differently.
  let wall: Spread?
  /// The reason for a missing value, or another remark.
  let note: String?

  init(
    _ target: String, _ subject: String, limit: Double, _ measured: Spread?, wall: Spread? = nil,
    note: String? = nil
  ) {
    self.target = target
    self.subject = subject
    self.limit = limit
    self.measured = measured
    self.wall = wall
    self.note = note
  }

  /// Creates a result from the ratios between the total times of two contestants, one per round.
  init(
    _ target: String, _ subject: String, limit: Double,
    _ dividend: [Phases], over divisor: [Phases], scale: Double = 1
  ) {
    self.init(
      target, subject, limit: limit,
      Spread(of: dividend, over: divisor, scale: scale, \.total.cpu),
      wall: Spread(of: dividend, over: divisor, scale: scale, \.total.wall))
  }

  /// Whether the median meets the target; `nil` if nothing was measured.
  var isMet: Bool? { measured.map { $0.median <= limit } }
}
