import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the size of a `Why`, and of the parts that are omitted if it would be too large.
@Suite struct WhyRoomTests {
  private let pond = Pond("boot")

  /// Adds a chain of pebbles. If the first one fails, all others are blocked.
  private func chain(of count: Int) -> [Pebble<Void>] {
    (0..<count).reduce(into: []) { chain, number in
      let condition = chain.last?.succeeded ?? .always
      chain.append(pond.pebble("p\(number)", when: condition) {})
    }
  }

  @Test func aThousandPebblesAreShownToThoseWhoAskForAll() throws {
    let chain = chain(of: 1_100)

    let why = try pond.model().why(
      chain[1_099], given: [.fails(chain[0], error: "no")], showingAll: true)

    #expect(why.nodes.count == 1_000)
    #expect(why.elidedPebbles == 100)
  }

  /// Adds a pebble, `hub`, that waits for any of the given number of others, each of which waits
  /// for `hub`.
  private func star(of count: Int) -> Pebble<Void> {
    let hub = pond.pebble("hub") {}
    hub.ready = .any((0..<count).map { pond.pebble("b\($0)", when: hub.succeeded) {}.succeeded })
    return hub
  }

  @Test func theFirstTwentyThatAPebbleWaitsForAreNamed() throws {
    let node = try pond.why(star(of: 150)).nodes[0]

    #expect(node.waits[0].pebble == "hub")
    #expect(node.waits[0].awaited == (0..<20).map { "b\($0)" })
  }

  @Test func aThousandThatAPebbleWaitsForAreNamedToThoseWhoAskForAll() throws {
    let hub = star(of: 1_100)

    let node = try pond.model().why(hub, given: [], showingAll: true).nodes[0]

    #expect(node.waits[0].awaited == (0..<1_000).map { "b\($0)" })
  }

  /// Checks that in addition to the shortest cycle, a hundred branches of a stall are followed.
  @Test func aHundredBranchesOfAStallAreFollowed() throws {
    let node = try pond.why(star(of: 150)).nodes[0]

    #expect(node.waits.count + node.elidedWaits == 1 + 1 + 100)
  }

  @Test func aThirdOfTheLinesTellsOfWhatCameLater() throws {
    let chain = chain(of: 30)
    var why = try pond.why(chain[29], given: [.fails(chain[0], error: "no")])
    why.lateFailures = (0..<20).map { "\($0)" }

    let (lines, omitted) = why.lines(atMost: 30)

    #expect(lines.count == 30)
    #expect(lines.first == "p29 was blocked")
    #expect(lines[19] == "at the root, p0 failed: no")
    #expect(lines.suffix(10) == (0..<10).map { "afterwards \($0)" })
    #expect(omitted == (30 - 19) + (20 - 10))
    #expect(why.lines(atMost: 50).omitted == 0)
  }

  @Test func whatCameLaterHasTheRoomThatTheTreeLeaves() throws {
    let chain = chain(of: 2)
    var why = try pond.why(chain[1], given: [.fails(chain[0], error: "no")])
    why.lateFailures = (0..<30).map { "\($0)" }

    let (lines, omitted) = why.lines(atMost: 20)

    #expect(lines.count == 20)
    #expect(lines.first == "p1 was blocked")
    #expect(lines.last?.hasPrefix("afterwards ") == true)
    #expect(lines.count { $0.hasPrefix("afterwards ") } + omitted == 30)
  }
}
