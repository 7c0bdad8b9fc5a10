/// The result of a launch, as far as it is known.
enum LaunchResult: String, Sendable {
  case upcoming
  case succeeded
  case failed

  /// The launch is still marked as upcoming, although its date has passed.
  case overdue
  case unknown

  /// Determines the result of a launch.
  ///
  /// - Parameters:
  ///   - launch: The launch.
  ///   - now: The current time, in Unix seconds.
  init(_ launch: Launch, now: Int64) {
    if launch.upcoming {
      let isLate =
        LaunchDate.known.contains(launch.date)
        && launch.date + LaunchDate.Precision(of: launch).span < now
      self = isLate ? .overdue : .upcoming
    } else {
      switch launch.success {
      case true?: self = .succeeded
      case false?: self = .failed
      case nil: self = .unknown
      }
    }
  }

  /// The result in a few words.
  var words: String {
    switch self {
    case .upcoming: "To come"
    case .succeeded: "Success"
    case .failed: "Failure"
    case .overdue: "Was due; no result"
    case .unknown: "Result not known"
    }
  }
}
