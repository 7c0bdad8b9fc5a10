import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that a pond read from a file is compiled to the same gates, in the same order, as the pond
/// that was written. Records refer to deciding gates by number, so the numbers must not change.
@Suite struct ReadBackNetworkTests {
  @Test(arguments: 0..<4) func theGatesAreTheSame(shard: Int) throws {
    var generator = SeededGenerator(seed: 2_600 + UInt64(shard))
    for _ in 0..<200 {
      let pond = Pond("random")
      var pebbles: [Pebble<Void>] = []
      for number in 0..<Int.random(in: 2...8, using: &generator) {
        let condition = Self.condition(pebbles, depth: 4, using: &generator)
        pebbles.append(pond.pebble("p\(number)", when: condition) {})
        if shard % 2 == 1, Bool.random(using: &generator), let last = pebbles.last {
          last.ready = Self.condition(pebbles.dropLast(), depth: 4, using: &generator)
        }
      }
      let model = try pond.model()
      let again = try PondModel(json: model.json())

      let networks = [model.pond.network, again.pond.network]
      let edges = networks.map { network in
        (0..<network.rowCount).map { row in
          network.edges(from: row).map { "\($0.gate) \($0.outcomes.rawValue)" }
        }
      }
      guard networks[0].kinds == networks[1].kinds, edges[0] == edges[1] else {
        Issue.record("\(model.json())")
        return
      }
    }
  }

  private static func condition(
    _ pebbles: some Collection<Pebble<Void>>, depth: Int, using generator: inout SeededGenerator
  ) -> Condition {
    guard let pebble = pebbles.randomElement(using: &generator) else { return .always }
    let isInner = depth > 0 && Int.random(in: 0..<3, using: &generator) > 0
    guard isInner else {
      return [pebble.succeeded, pebble.failed, pebble.settled, pebble.skipped]
        .randomElement(using: &generator) ?? .always
    }
    let one = condition(pebbles, depth: depth - 1, using: &generator)
    let other = condition(pebbles, depth: depth - 1, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0, 1: return one && other
    case 2, 3: return one || other
    default: return !one
    }
  }
}
