import Foundation

/// When a launch was or is to be, as people read it: in UTC, and no more exactly than it is known.
struct LaunchDate: Sendable {
  /// Such as `23 April 2021` or `November 2022`.
  let text: String

  /// The time of day, such as `09:49 UTC`; `nil` if it is not known.
  let time: String?

  /// For programs, such as `2021-04-23T09:49:00Z`.
  let machine: String

  /// Such as 2021.
  let year: Int

  /// The dates that are shown, in Unix seconds: calendars do not agree on those before 1600 and
  /// after 9999.
  static let known: Range<Int64> = -11_676_096_000..<253_402_300_800

  /// `nil` if the date is not one that is shown.
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

  /// How exactly a date is known.
  enum Precision: String {
    case hour
    case day
    case month
    case quarter
    case half
    case year

    /// As exactly as it says; without a word, or with an unknown one, to the day.
    init(of launch: Launch) {
      self = launch.datePrecision.flatMap(Self.init) ?? .day
    }

    /// How long after its date a launch may still be on time, in seconds.
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
