import Foundation

/// The date of a launch as shown to people, in UTC and only as precise as it is known.
struct LaunchDate: Sendable {
  /// The date, such as `23 April 2021` or `November 2022`.
  let text: String

  /// The time of day, such as `09:49 UTC`; `nil` if it is unknown.
  let time: String?

  /// The date for programs, such as `2021-04-23T09:49:00Z`.
  let machine: String

  /// The year, such as 2021.
  let year: Int

  /// The range of displayable dates, in Unix seconds. Calendars disagree on dates before 1600 and
  /// after 9999.
  static let known: Range<Int64> = -11_676_096_000..<253_402_300_800

  /// Creates the date of a launch. Returns `nil` if the date cannot be displayed.
  init?(_ launch: Launch) {
    guard Self.known.contains(launch.date) else { return nil }
    let date = Date(timeIntervalSince1970: Double(launch.date))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    guard let year = parts.year, let month = parts.month, let day = parts.day,
      let hour = parts.hour, let minute = parts.minute
    else { return nil }
    self.year = year
    machine = date.ISO8601Format()
    let name = Self.months[month - 1]
    switch Precision(of: launch) {
    case .hour, .day: text = "\(day) \(name) \(year)"
    case .month: text = "\(name) \(year)"
    case .quarter, .half, .year: text = "\(year)"
    }
    let digits = [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }
    time = Precision(of: launch) == .hour ? "\(digits.joined(separator: ":")) UTC" : nil
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The precision of a date.
  enum Precision: String, CaseIterable {
    case hour
    case day
    case month
    case quarter
    case half
    case year

    /// Reads the precision of a launch's date. A missing or unknown precision is treated as `day`.
    init(of launch: Launch) {
      self = launch.datePrecision.flatMap(Self.init) ?? .day
    }

    /// The number of seconds after its date at which a launch becomes overdue.
    var span: Int64 {
      switch self {
      case .hour: 3_600
      case .day: 86_400
      case .month: 31 * 86_400
      case .quarter: 92 * 86_400
      case .half: 184 * 86_400
      case .year: 366 * 86_400
      }
    }
  }
}
