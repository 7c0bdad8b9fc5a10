#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A namespace for formatting human-readable dates.
enum CalendarDate {
  /// Returns a time in nanoseconds since 1970 as an ISO 8601 date, in UTC.
  static func text(of time: Int64) -> String {
    Date(timeIntervalSince1970: Double(time) / 1e9).formatted(.iso8601)
  }
}
