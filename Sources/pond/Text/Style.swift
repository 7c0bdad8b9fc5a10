/// How a piece of text looks in a terminal that has colours. What it says must not hang on that.
enum Style: Sendable {
  case plain
  case heading
  case faint
  case good
  case bad
  case caution

  /// The parameters of the escape sequence "Select Graphic Rendition"; nothing for plain text.
  var parameters: String? {
    switch self {
    case .plain: nil
    case .heading: "1"
    case .faint: "2"
    case .good: "32"
    case .bad: "31"
    case .caution: "33"
    }
  }
}

/// A piece of text in one style.
struct Span: Sendable {
  let text: String
  let style: Style

  init(_ text: String, _ style: Style = .plain) {
    self.text = text
    self.style = style
  }
}
