import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that the representation of a condition has no visible effect. Operators represent a small
/// condition as a single machine word, and any other condition as a tree.
@Suite(.watched) struct ShortConditionTests {
  private let pond = Pond("packed")
  private let pebbles: [Pebble<Void>]

  init() {
    pebbles = ["a", "b", "c", "d", "e"].map { [pond] in pond.pebble($0) {} }
  }

  private var atoms: [Condition] { pebbles.map(\.succeeded) }

  @Test(arguments: 0..<4)
  func operatorsSayTheSameAsATreeOfThem(shard: Int) {
    let stranger = Pond("other").pebble("stranger") {}
    var generator = SeededGenerator(seed: 5_000 + UInt64(shard))

    for _ in 0..<500 {
      let leaves = atoms + [.always, .never, pebbles[0].failed("locked") { _ in true }]
      let rare = Int.random(in: 0..<8, using: &generator) == 0 ? [stranger.failed] : []
      let (made, tree) = Self.pair(over: leaves + rare, depth: 5, using: &generator)

      #expect(made.description == tree.description)
      let given = pond.pebble("given", when: made) {}
      #expect(given.ready.description == tree.description)
    }
  }

  /// Returns a random condition in two forms: built with operators, and built as a tree with a node
  /// for each operator.
  private static func pair(
    over leaves: [Condition], depth: Int, using generator: inout SeededGenerator
  ) -> (made: Condition, tree: Condition) {
    let leaf = leaves[Int.random(in: leaves.indices, using: &generator)]
    guard depth > 0, Int.random(in: 0..<5, using: &generator) > 0 else { return (leaf, leaf) }
    let parts = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
      pair(over: leaves, depth: depth - 1, using: &generator)
    }
    let trees = parts.map(\.tree)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return (.all(parts.map(\.made)), Condition(.all, trees))
    case 1: return (.any(parts.map(\.made)), Condition(.any, trees))
    case 2: return (parts[0].made && parts[1].made, Condition(.all, [trees[0], trees[1]]))
    case 3: return (parts[0].made || parts[1].made, Condition(.any, [trees[0], trees[1]]))
    case 4:
      guard case .compound = trees[0].expression else { return (!parts[0].made, !trees[0]) }
      return (!parts[0].made, Condition(.not, [trees[0]]))
    default: return (parts[0].made.labeled("so"), Condition(.labeled("so"), [trees[0]]))
    }
  }

  @Test(arguments: [2, 3, 4, 5, 14, 15, 16, 17, 40])
  func aConditionThatIsAddedToStaysWhatItWas(count: Int) {
    let conditions = (0..<count).map { atoms[$0 % 5] }
    let whole = conditions.dropFirst().reduce(conditions[0], &&)
    let text = whole.description

    let more = whole && pebbles[0].failed
    let other = whole || pebbles[1].failed
    let opposite = !whole

    #expect(whole.description == text)
    #expect(text == conditions.map(\.description).joined(separator: " && "))
    #expect(more.description == "\(text) && a.failed")
    #expect(other.description == "\(text) || b.failed")
    #expect(opposite.description == "!(\(text))")
  }

  @Test func whatGrowsBeyondWordsBecomesATree() {
    let condition = (0..<100).reduce(atoms[0]) { condition, level in
      level.isMultiple(of: 2) ? !(condition || atoms[1]) : condition && !atoms[2]
    }

    #expect(condition.description.hasPrefix("!(!(!("))
    let given = pond.pebble("given", when: condition) {}
    #expect(given.ready.description == condition.description)
  }

  @Test func negationsOfNegationsArePushedDown() {
    let both = atoms[0] && atoms[1]
    let condition = (0..<40).reduce(both) { condition, _ in !condition }
    let given = pond.pebble("given", when: condition || atoms[2]) {}

    let network = pond.program().pond.network

    #expect(given.ready.description.hasPrefix("!(!(!("))
    #expect(network.kinds.suffix(2) == [.any, .all])
    #expect(network.operandCounts.suffix(2) == [2, 2])
  }

  @Test func conditionsOfTwoPondsAreAFaultOfTheOneThatRuns() async throws {
    let stranger = Pond("other").pebble("stranger") {}
    pond.pebble("last", when: atoms[0] && atoms[1] && stranger.succeeded) {}
    pond.pebble("wrong", when: stranger.succeeded && stranger.failed) {}

    await #expect(throws: PondError.self) { try await pond.run() }
  }
}
