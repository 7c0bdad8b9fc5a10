import Foundation

/// What went wrong, as a sentence that is safe to print.
struct Problem: Error, Equatable, CustomStringConvertible {
  let description: String
  init(_ sentence: String) { description = printable(sentence.truncated(to: 5000)) }
}

func check(_ isRight: Bool, _ problem: @autoclosure () -> String) throws(Problem) {
  if !isRight { throw Problem(problem()) }
}

/// The system's words for what made Foundation fail or, without that, for the last call that did.
func reason(_ error: (any Error)? = nil) -> String {
  let cause = (error as? CocoaError)?.underlying ?? error
  let words = String(cString: strerror((cause as NSError?).map { Int32($0.code) } ?? errno))
  return words.prefix(1).lowercased() + words.dropFirst()
}

/// Text that comes from a file, made safe to show: what would move the cursor, change colours, turn
/// the direction of writing or end the line shows as `�` instead. A joiner holds emoji together.
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
  /// The text, or as much of it as fits before a `…`.
  func truncated(to width: Int) -> String { count <= width ? self : prefix(width - 1) + "…" }
}

/// `1 launch`, `2 launches`.
func counted(_ count: Int, _ one: String, _ many: String) -> String {
  "\(count) \(count == 1 ? one : many)"
}

/// How long ago something was, in one unit: `just now`, `5 minutes ago`.
func age(of date: Date, at now: Date) -> String {
  let seconds = Int(now.timeIntervalSince(date))
  let units = [(86_400, "day"), (3600, "hour"), (60, "minute")]
  guard seconds >= 0 else { return "in the future, by this clock" }
  guard let (length, unit) = units.first(where: { seconds >= $0.0 }) else { return "just now" }
  return counted(seconds / length, unit, unit + "s") + " ago"
}

extension DatePrecision {
  /// As much of a date as is known, in UTC: `2022-10-05 16:00`, or `5 October 2022, 16:00 UTC`.
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

/// Rows in columns under headings, some of them aligned to the right; nothing without any rows.
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
