/// A Boolean variable of a formula, or its negation, packed into a word.
struct Literal: Hashable, Sendable {
  /// Twice the number of the variable, plus one if the variable is negated.
  let code: UInt32

  init(code: UInt32) {
    self.code = code
  }

  init(variable: Int) {
    code = UInt32(variable) << 1
  }

  /// The literal that is always true: the first variable of every formula.
  static let always = Literal(variable: 0)
  static let never = !always

  var variable: Int { Int(code >> 1) }
  var isNegated: Bool { code & 1 == 1 }
  var index: Int { Int(code) }

  static prefix func ! (literal: Literal) -> Literal { Literal(code: literal.code ^ 1) }
}
