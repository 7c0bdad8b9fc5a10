/// How a launch went, as far as that is known.
enum LaunchResult: String, Sendable {
  case upcoming
  case succeeded
  case failed

  /// It was to come, and its date has passed.
  case overdue
  case unknown

  /// - Parameters:
  ///   - launch: Which one.
  ///   - now: In Unix seconds.
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

  /// In some words.
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
