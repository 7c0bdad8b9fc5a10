import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of the end points of a pond, and of the problems that are reported about them.
@Suite struct PondEndsTests {
  private let pond = Pond("boot")

  @Test func stepStandsInForTheFirstPebbleOfItsKindThatItReads() throws {
    let start = pond.pebble("start") {}
    let user = pond.pebble("userLogin", when: start.succeeded) {}
    let app = pond.pebble("appLogin", when: start.succeeded) {}
    pond.pebble("otidLogin", when: user.failed && app.failed) {}

    let ends = PondEnds(of: try pond.model())

    #expect(ends.positions == [])
    #expect(ends.standIns.map(\.pebble) == [3])
    #expect(ends.standIns.map(\.original) == [1])
  }

  @Test(arguments: [(300, true), (301, false)])
  func endsOfPondsOfThreeHundredPebblesAreLookedAt(count: Int, isLookedAt: Bool) throws {
    let ping = pond.pebble("ping") {}
    let cache = pond.pebble("cache") {}
    pond.pebble("home", when: ping.succeeded && cache.succeeded) {}
    pond.pebble("offline", when: ping.failed) {}
    for number in 4..<count { pond.pebble("\(number)") {} }

    let warning = PondEnds(of: try pond.model()).warning

    #expect((warning != nil) == isLookedAt)
  }
}
