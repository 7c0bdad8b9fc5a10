import Pebbles
import PebblesPictures

/// The human-readable lines that a command prints. Invisible characters in names, errors and other
/// text from files are made visible here, so that no escape sequence reaches a terminal.
struct Printout: Sendable {
  private var lines: [[StyledText]] = []

  /// The colours and the width of printed lines.
  struct Look: Sendable {
    var isColored = false

    /// The number of columns at which lines are wrapped; `nil` for no wrapping.
    var width: Int?

    /// Whether GitHub reads the lines, which must then not contain workflow commands.
    var isOnGitHub = false
  }

  /// Adds a line that consists of spans.
  mutating func line(_ spans: StyledText...) { line(spans) }

  /// Adds a line that consists of the spans in an array.
  mutating func line(_ spans: [StyledText]) { lines.append(spans) }

  /// Adds a line in one style.
  mutating func line(_ text: String, _ style: TextStyle = .plain) {
    lines.append([StyledText(text, style)])
  }

  /// Adds a line, preceded by an empty line unless it is the first line.
  mutating func heading(_ text: String, _ style: TextStyle = .heading) {
    if !lines.isEmpty { line("") }
    line(text, style)
  }

  /// Adds all lines of a description, with a style for each line.
  mutating func text(_ text: some CustomStringConvertible, style: (Substring) -> TextStyle) {
    for line in text.description.split(separator: "\n", omittingEmptySubsequences: false) {
      self.line(String(line), style(line))
    }
  }

  /// Adds all lines of a description in plain style.
  mutating func text(_ text: some CustomStringConvertible) {
    self.text(text) { _ in .plain }
  }

  /// Adds the lines of another printout.
  mutating func append(_ other: Printout) { lines += other.lines }

  var isEmpty: Bool { lines.isEmpty }

  /// Returns all lines as text, wrapped to the width in `look`, with a newline at the end of each
  /// row.
  func text(_ look: Look = Look()) -> String {
    var text = ""
    for line in lines {
      for row in line.wrapped(at: look.width) {
        let shown = row.map { $0.shown(isColored: look.isColored) }.joined()
        text += (look.isOnGitHub ? shown.withoutCommands : shown) + "\n"
      }
    }
    return text
  }
}

extension [StyledText] {
  /// Returns the line as rows of at most `width` columns, broken at spaces where possible. All rows
  /// but the first are indented, and continue the vertical lines of a tree.
  fileprivate func wrapped(at width: Int?) -> [[StyledText]] {
    let spans = map { StyledText($0.text.singleLine, $0.style) }
    guard let width, spans.columns > width else { return [spans] }
    let letters = spans.flatMap { span in span.text.map { (character: $0, style: span.style) } }
    let indent = Self.indent(letters.prefix { " │├└─".contains($0.character) }.map(\.character))
    let narrowest = Swift.max(indent.count + 8, 8)
    var rows: [[StyledText]] = []
    var rest = letters[...]
    while !rest.isEmpty {
      let start = rows.isEmpty ? "" : indent
      let room = rows.isEmpty ? Swift.max(width, 1) : Swift.max(width, narrowest) - start.count
      let row = rest.prefix(Self.rowLength(rest.prefix(8 * room).map(\.character), room))
      rest = rest.dropFirst(row.count).drop { $0.character == " " }
      rows.append(
        [StyledText(start)] + row.map { StyledText(String($0.character), $0.style) }.joined)
    }
    return rows
  }

  /// Returns the number of characters to put in a row of `room` columns. The row ends before a
  /// space if possible.
  private static func rowLength(_ letters: [Character], _ room: Int) -> Int {
    var (taken, count) = (0, 0)
    while count < letters.count, taken + letters[count].columns <= room {
      taken += letters[count].columns
      count += 1
    }
    guard count < letters.count else { return count }
    let text = letters.prefix(count + 1)
    let begin = text.firstIndex { $0 != " " } ?? 0
    let blank = text[begin...].lastIndex(of: " ")
    return Swift.max(blank ?? count, 1)
  }

  private static func indent(_ start: [Character]) -> String {
    String(start.map { $0 == "├" ? "│" : $0 == "│" ? "│" : " " }) + "  "
  }

  /// The spans, with adjacent spans of the same style merged.
  fileprivate var joined: [StyledText] {
    reduce(into: []) { joined, span in
      if let last = joined.last, last.style == span.style {
        joined[joined.count - 1] = StyledText(last.text + span.text, last.style)
      } else {
        joined.append(span)
      }
    }
  }
}

/// Returns a number with a noun in the singular or plural: `1 pebble`, `2 pebbles`.
func counted(_ number: some BinaryInteger, _ thing: String) -> String {
  "\(number) \(thing)\(number == 1 ? "" : "s")"
}

extension String {
  /// The name as shown in a column of a table.
  var inColumn: String { name(toColumns: 40) }
}
