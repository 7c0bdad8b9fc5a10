#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Dates for people.
enum CalendarDate {
  /// A time in nanoseconds since 1970, as ISO 8601 has it, in UTC.
  static func text(of time: Int64) -> String {
    Date(timeIntervalSince1970: Double(time) / 1e9).formatted(.iso8601)
  }
}
