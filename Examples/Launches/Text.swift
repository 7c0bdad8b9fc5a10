import Foundation

/// An error whose description is a sentence that is safe to print.
struct Problem: Error, Equatable, CustomStringConvertible {
  let description: String
  init(_ sentence: String) { description = printable(sentence.truncated(to: 5000)) }
}

func check(_ isRight: Bool, _ problem: @autoclosure () -> String) throws(Problem) {
  if !isRight { throw Problem(problem()) }
}

/// Returns the system's message for a Foundation error or, if `error` is `nil`, for the last failed
/// system call.
func reason(_ error: (any Error)? = nil) -> String {
  let cause = (error as? CocoaError)?.underlying ?? error
  let words = String(cString: strerror((cause as NSError?).map { Int32($0.code) } ?? errno))
  return words.prefix(1).lowercased() + words.dropFirst()
}

/// Returns text from a file in a form that is safe to print. Characters that move the cursor,
/// change colours, change the writing direction or end the line are replaced with `�`. Joiners
/// within emoji are kept.
func printable(_ text: String) -> String {
  let unsafe: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
  ]
  let scalars = text.unicodeScalars.map { scalar in
    scalar == "\u{200D}" || !unsafe.contains(scalar.properties.generalCategory) ? scalar : "�"
  }
  return String(String.UnicodeScalarView(scalars))
}

extension String {
  /// Returns the string, truncated with `…` if it is too long.
  func truncated(to width: Int) -> String { count <= width ? self : prefix(width - 1) + "…" }
}

/// Returns a number followed by a noun in the singular or plural, such as `2 launches`.
func counted(_ count: Int, _ one: String, _ many: String) -> String {
  "\(count) \(count == 1 ? one : many)"
}

/// Returns the time since a date in a single unit, such as `5 minutes ago`, or `just now`.
func age(of date: Date, at now: Date) -> String {
  let seconds = Int(now.timeIntervalSince(date))
  let units = [(86_400, "day"), (3600, "hour"), (60, "minute")]
  guard seconds >= 0 else { return "in the future, by this clock" }
  guard let (length, unit) = units.first(where: { seconds >= $0.0 }) else { return "just now" }
  return counted(seconds / length, unit, unit + "s") + " ago"
}

extension DatePrecision {
  /// Returns a date as a string, in UTC and only as precise as it is known. Examples are
  /// `2022-10-05 16:00` and, in words, `5 October 2022, 16:00 UTC`.
  func text(_ date: Date, inWords: Bool = false) -> String {
    let parts = date.formatted(.iso8601).split { !$0.isNumber }
    let (year, month, time) = (parts[0], Int(parts[1]) ?? 1, "\(parts[3]):\(parts[4])")
    let day = parts[..<3].joined(separator: "-")
    let style = Date.FormatStyle(locale: Locale(identifier: "en_GB"), timeZone: .gmt).month(.wide)
    return switch self {
    case .year: "\(year)"
    case .half: "\(year) half \((month + 5) / 6)"
    case .quarter: "\(year) quarter \((month + 2) / 3)"
    case .month: inWords ? style.year().format(date) : String(day.dropLast(3))
    case .day: inWords ? style.day().year().format(date) : day
    case .hour: inWords ? "\(style.day().year().format(date)), \(time) UTC" : "\(day) \(time)"
    }
  }
}

/// Returns the lines of a table with headings. The columns in `right` are aligned to the right, and
/// all others to the left. The result is empty if there are no rows.
func table(_ headings: [String], right: Set<Int>, widest: Int, _ rows: [[String]]) -> [String] {
  let cells = [headings] + rows.map { $0.map { printable($0).truncated(to: widest) } }
  let widths = headings.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
  if rows.isEmpty { return [] }
  return cells.map { row in
    let padded = row.indices.map { column in
      let space = String(repeating: " ", count: widths[column] - row[column].count)
      return right.contains(column) ? space + row[column] : row[column] + space
    }
    return ("  " + padded.joined(separator: "  ")).replacing(/\ +$/, with: "")
  }
}
