import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of the texts with which findings name pebbles and parts of conditions.
@Suite struct WordingTests {
  private let pond = Pond("boot")
  private let pebbles: [Pebble<Void>]

  init() {
    pebbles = "abcdefgh".map { [pond] in pond.pebble("\($0)") {} }
  }

  private func wording() throws -> Wording {
    let model = try pond.model()
    return Wording(graph: model.pond.graph, circuit: Circuit(model.pond))
  }

  /// Adds a pebble with the given condition, and returns the text of the condition.
  private func text(_ condition: Condition) throws -> String {
    pond.pebble("reader", when: condition) {}
    let wording = try wording()
    let kind = wording.circuit.network.kinds[pebbles.count]
    return wording.text(of: Array(wording.circuit.signals(of: pebbles.count)), kind)
  }

  @Test(arguments: [
    (0, "nothing"), (1, "a"), (2, "a and b"), (4, "a, b, c and d"), (5, "a, b, c, d and 1 more"),
    (7, "a, b, c, d and 3 more"),
  ])
  func fourNamesAreListed(count: Int, text: String) throws {
    #expect(try wording().list(Array(0..<count)) == text)
  }

  @Test func partsAreInParenthesesInsideOfOthers() throws {
    let (a, b, c) = (pebbles[0].succeeded, pebbles[1].failed, pebbles[2].completed)

    #expect(try text(a && b || c) == "c.completed || (a.succeeded && b.failed)")
  }

  @Test func casesAreNamedAndNegated() throws {
    let locked = pebbles[0].failed("locked") { _ in false }

    #expect(
      try text(pebbles[1].failed && !locked && pebbles[2].failed("x") { _ in true })
        == "b.failed && !a.failed(\"locked\") && c.failed(\"x\")")
  }

  /// Checks that the deepest levels of a condition are replaced with an ellipsis.
  @Test func deepConditionsAreCut() throws {
    var condition = pebbles[0].succeeded
    for (number, pebble) in pebbles.dropFirst().enumerated() {
      condition =
        number.isMultiple(of: 2) ? condition || pebble.failed : condition && pebble.succeeded
    }

    #expect(
      try text(condition)
        == "h.failed || (g.succeeded && (f.failed || (e.succeeded && (d.failed || …))))")
  }
}
