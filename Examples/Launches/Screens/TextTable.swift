/// Rows of text in aligned columns under headings.
struct TextTable: Sendable {
  struct Column: Sendable {
    let heading: String
    var alignment = Alignment.left
    /// Longer texts end in `…`.
    var widest = 40
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row of as many cells as there are columns. Whatever is in them is made printable.
  mutating func append(_ cells: [String]) {
    precondition(
      cells.count == columns.count, "a row of \(cells.count) in \(columns.count) columns")
    rows.append(
      zip(cells, columns).map { cell, column in printable(cell).truncated(to: column.widest) })
  }

  var lines: [String] {
    let headings = columns.map(\.heading)
    let widths = columns.indices.map { column in
      rows.reduce(headings[column].count) { max($0, $1[column].count) }
    }
    return ([headings] + rows).map { cells in
      let line = columns.indices.map { cells[$0].padded(to: widths[$0], columns[$0].alignment) }
        .joined(separator: "  ")
      return "  " + line.trimmingTrailingSpaces
    }
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    String(prefix(upTo: lastIndex { $0 != " " }.map(index(after:)) ?? startIndex))
  }
}
