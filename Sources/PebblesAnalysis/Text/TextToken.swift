import Pebbles

/// A name, string or sign in the text of a condition, or the end of the text, with its place.
struct TextToken {
  enum Kind: Equatable {
    case name(String)
    case literal(String)
    case sign(Sign)
    case end
  }

  /// A sign between names.
  enum Sign: String, CaseIterable {
    case and = "&&"
    case or = "||"
    case not = "!"
    case open = "("
    case close = ")"
    case dot = "."
    case comma = ","
    case colon = ":"
  }

  let kind: Kind
  let offset: Int
}

extension TextToken {
  /// The token as it is named in errors about unexpected tokens: `the string "x"`, `&&`, `the end`.
  var clause: String {
    switch kind {
    case .name(let name): name.shortLiteral
    case .literal(let text): "the string \(text.shortLiteral)"
    case .sign(let sign): "\(sign.rawValue)"
    case .end: "the end"
    }
  }
}
