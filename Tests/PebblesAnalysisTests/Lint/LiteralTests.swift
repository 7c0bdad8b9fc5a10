import Testing

@testable import PebblesAnalysis

/// Tests of literals, which represent variables of formulas and their negations as machine words.
@Suite struct LiteralTests {
  @Test(arguments: [0, 1, 2, 7, 1_000])
  func aVariableHasTwoLiterals(variable: Int) {
    let literal = Literal(variable: variable)

    #expect(!literal.isNegated && (!literal).isNegated)
    #expect([literal, !literal].map(\.variable) == [variable, variable])
    #expect([literal, !literal].map(\.index) == [2 * variable, 2 * variable + 1])
    #expect(!(!literal) == literal)
  }
}
