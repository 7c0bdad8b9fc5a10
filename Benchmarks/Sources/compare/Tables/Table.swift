import Foundation

/// A table with a header, which can be printed or written as Markdown.
struct Table {
  let title: String
  let header: [String]
  var rows: [[String]] = []
  var notes: [String] = []

  /// The table as text with aligned columns.
  var text: String {
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    let lines = ([header, widths.map { String(repeating: "-", count: $0) }] + rows).map { row in
      zip(row, widths)
        .map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
        .joined(separator: "  ")
    }
    return ([title, ""] + lines + [""] + notes).joined(separator: "\n")
  }

  var markdown: String {
    let lines = ([header, header.map { _ in "---" }] + rows).map { row in
      "| " + row.joined(separator: " | ") + " |"
    }
    let remarks = notes.flatMap { ["", $0] }
    return ((title.isEmpty ? [] : ["### \(title)", ""]) + lines + remarks).joined(separator: "\n")
  }
}

/// Returns a number with about three significant digits: `0.0712`, `1.24`, `315`, `1234`.
func ratioText(_ value: Double) -> String {
  let digits: Int
  switch abs(value) {
  case 100...: digits = 0
  case 10..<100: digits = 1
  case 1..<10: digits = 2
  case 0.1..<1: digits = 3
  case 0.01..<0.1: digits = 4
  default: digits = 5
  }
  return value.formatted(.number.precision(.fractionLength(digits)).grouping(.never))
}
