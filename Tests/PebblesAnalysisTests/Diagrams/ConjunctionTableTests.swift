import Testing

@testable import PebblesAnalysis

/// Tests of the table of conjunctions computed so far.
@Suite struct ConjunctionTableTests {
  private var table = ConjunctionTable()

  @Test mutating func whatItKnowsItKnowsInAnyOrder() {
    table[BooleanFunction(node: 3), BooleanFunction(node: 5)] = BooleanFunction(node: 7)

    #expect(table[BooleanFunction(node: 5), BooleanFunction(node: 3)] == BooleanFunction(node: 7))
    #expect(table[BooleanFunction(node: 5), !BooleanFunction(node: 3)] == nil)
  }

  @Test mutating func itGrowsAndKnowsWhatItKnew() {
    table[BooleanFunction(node: 3), BooleanFunction(node: 5)] = BooleanFunction(node: 7)

    for (wanted, count) in [(1 << 4, 1 << 10), (1 << 12, 1 << 12), (1 << 30, 1 << 12)] {
      table.grow(to: wanted)

      #expect(table.count == count)
      #expect(
        table[BooleanFunction(node: 3), BooleanFunction(node: 5)] == BooleanFunction(node: 7))
    }
  }

  /// Checks that an entry is removed together with the newest node among its operands and its
  /// result.
  @Test(arguments: [(2, 5, 3), (2, 3, 5)])
  mutating func itForgetsWhatHasToDoWithNodesThatAreGone(_ left: Int, _ right: Int, _ result: Int) {
    let operands = (BooleanFunction(node: left), BooleanFunction(node: right))
    table[operands.0, operands.1] = BooleanFunction(node: result)

    table.forgetNodes(since: 6)
    #expect(table[operands.0, operands.1] == BooleanFunction(node: result))
    table.forgetNodes(since: 5)
    #expect(table[operands.0, operands.1] == nil)
  }
}
