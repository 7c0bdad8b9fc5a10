/// A description of the time left until an event.
enum Countdown {
  /// Returns a description of the time left.
  ///
  /// - Parameters:
  ///   - end: The time of the event, in Unix seconds.
  ///   - now: The current time, in Unix seconds.
  /// - Returns: At most the two largest units, such as `in 3 days, 4 h`, or
  ///   `in less than a minute`; `any moment` if no time is left.
  static func text(to end: Int64, from now: Int64) -> String {
    let (left, isFar) = end.subtractingReportingOverflow(now)
    guard !isFar, left > 0 else { return "any moment" }
    let units: [(size: Int64, one: String, many: String)] = [
      (86_400, " day", " days"), (3_600, " h", " h"), (60, " min", " min"),
    ]
    var rest = left
    var parts: [String] = []
    for unit in units {
      let count = rest / unit.size
      rest %= unit.size
      if count > 0 { parts.append("\(count)\(count == 1 ? unit.one : unit.many)") }
      // Hours matter beside days; minutes do not.
      if parts.count == 2 || (parts.count == 1 && count == 0) { break }
    }
    return parts.isEmpty ? "in less than a minute" : "in \(parts.joined(separator: ", "))"
  }
}
