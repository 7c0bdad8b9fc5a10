import Foundation

/// Dates as the screens write them, in UTC.
struct DateText: Sendable {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  let year: Int
  private let month: Int
  private let day: Int
  private let time: String
  private let precision: DatePrecision

  init(_ date: Date, precision: DatePrecision = .hour) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    year = parts.year ?? 0
    month = parts.month ?? 1
    day = parts.day ?? 1
    time = "\(twoDigits(parts.hour ?? 0)):\(twoDigits(parts.minute ?? 0))"
    self.precision = precision
  }

  init(of launch: Launch) {
    self.init(launch.date, precision: launch.datePrecision)
  }

  /// For tables: `2022-10-05 16:00`, or as much of it as is known.
  var short: String {
    switch precision {
    case .year: "\(year)"
    case .half: "\(year) half \((month - 1) / 6 + 1)"
    case .quarter: "\(year) quarter \((month - 1) / 3 + 1)"
    case .month: "\(year)-\(twoDigits(month))"
    case .day: "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    case .hour: "\(year)-\(twoDigits(month))-\(twoDigits(day)) \(time)"
    }
  }

  /// For sentences: `5 October 2022, 16:00 UTC`, or as much of it as is known.
  var long: String {
    switch precision {
    case .year, .half, .quarter: short
    case .month: "\(DateText.months[month - 1]) \(year)"
    case .day: "\(day) \(DateText.months[month - 1]) \(year)"
    case .hour: "\(day) \(DateText.months[month - 1]) \(year), \(time) UTC"
    }
  }
}

/// How long ago something was, in one unit: `just now`, `5 minutes ago`.
func age(of date: Date, at now: Date) -> String {
  let seconds = now.timeIntervalSince(date)
  switch seconds {
  case ..<0: return "in the future, by this clock"
  case ..<60: return "just now"
  case ..<3600: return counted(Int(seconds / 60), "minute", "minutes") + " ago"
  case ..<86_400: return counted(Int(seconds / 3600), "hour", "hours") + " ago"
  default: return counted(Int(seconds / 86_400), "day", "days") + " ago"
  }
}

private func twoDigits(_ number: Int) -> String {
  number < 10 ? "0\(number)" : "\(number)"
}
