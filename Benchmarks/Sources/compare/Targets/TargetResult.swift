/// One line of the list of targets: what was to be reached, and what was.
struct TargetResult: Codable, Sendable {
  /// Short enough for a table.
  let target: String
  /// The shape and size, or whatever else tells the lines of one target apart.
  let subject: String
  /// The greatest value that meets the target.
  let limit: Double
  let measured: Spread?
  /// Why there is no figure, or what else there is to know.
  let note: String?

  init(_ target: String, _ subject: String, limit: Double, _ measured: Spread?, note: String? = nil)
  {
    self.target = target
    self.subject = subject
    self.limit = limit
    self.measured = measured
    self.note = note
  }

  /// The median decides.
  var isMet: Bool? { measured.map { $0.median <= limit } }
}
