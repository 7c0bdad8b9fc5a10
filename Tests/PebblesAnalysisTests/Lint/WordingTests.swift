import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of the names of pebbles and of the parts of conditions in findings.
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

  /// Returns the text of the condition as a part of the condition of a pebble.
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

  /// Checks that everything below the fourth level of a condition is replaced with dots.
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
