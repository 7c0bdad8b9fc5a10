/// One line of the list of targets: what was to be reached, and what was.
struct TargetResult: Codable, Sendable {
  /// Short enough for a table.
  let target: String
  /// The shape and size, or whatever else tells the lines of one target apart.
  let subject: String
  /// The greatest value that meets the target.
  let limit: Double
  let measured: Spread?
  /// The same by the clock, where it is a ratio of what was taken of processors: where the two are
  /// far apart, the machine was busy, or the pond and its peer use processors differently.
  let wall: Spread?
  /// Why there is no figure, or what else there is to know.
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

  /// The quotient of define + run + report, round by round.
  init(
    _ target: String, _ subject: String, limit: Double,
    _ dividend: [Phases], over divisor: [Phases], scale: Double = 1
  ) {
    self.init(
      target, subject, limit: limit,
      Spread(of: dividend, over: divisor, scale: scale, \.total.cpu),
      wall: Spread(of: dividend, over: divisor, scale: scale, \.total.wall))
  }

  /// The median decides.
  var isMet: Bool? { measured.map { $0.median <= limit } }
}
