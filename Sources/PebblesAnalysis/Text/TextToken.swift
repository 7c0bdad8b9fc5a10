import Pebbles

/// A word or a sign of a condition that is written as text, and where it starts.
struct TextToken {
  enum Kind: Equatable {
    case name(String)
    case literal(String)
    case sign(Sign)
    case end
  }

  /// What stands between names.
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
  /// What it is, for a sentence that says what should not be there.
  var clause: String {
    switch kind {
    case .name(let name): name.shortLiteral
    case .literal(let text): "the string \(text.shortLiteral)"
    case .sign(let sign): "\(sign.rawValue)"
    case .end: "the end"
    }
  }
}
