/// A text style for terminals with colours. The meaning of text must not depend on its style.
package enum TextStyle: Sendable {
  case plain
  case heading
  case faint
  case good
  case bad
  case caution

  /// The parameters of the escape sequence "Select Graphic Rendition"; `nil` for plain text.
  private var parameters: String? {
    switch self {
    case .plain: nil
    case .heading: "1"
    case .faint: "2"
    case .good: "32"
    case .bad: "31"
    case .caution: "33"
    }
  }

  fileprivate func around(_ text: String) -> String {
    guard let parameters, !text.isEmpty else { return text }
    return "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
  }
}

/// A piece of text in one style.
package struct StyledText: Sendable, Equatable {
  package let text: String
  package let style: TextStyle

  package init(_ text: String, _ style: TextStyle = .plain) {
    self.text = text
    self.style = style
  }

  /// Returns the text to write, with escape sequences for its style if the terminal has colours.
  package func shown(isColored: Bool) -> String { isColored ? style.around(text) : text }
}

extension [StyledText] {
  /// The total number of columns of all pieces.
  package var columns: Int { reduce(0) { $0 + $1.text.columns } }

  /// Returns the pieces truncated to a total number of columns, with `…` at the end if anything was
  /// cut.
  package func cut(toColumns most: Int) -> [StyledText] {
    guard columns > most else { return self }
    var cut: [StyledText] = []
    var room = most
    for piece in self where room > 0 {
      // A piece that fits exactly is truncated too, because other pieces follow it.
      let isLast = piece.text.columns >= room
      let text = isLast ? "\(piece.text) ".cut(toColumns: room) : piece.text
      cut.append(StyledText(text, piece.style))
      room -= text.columns
      if isLast { break }
    }
    return cut
  }
}
