import Pebbles
import PebblesTestSupport
import Testing

extension PebbleTrait {
  fileprivate static var networkCall: Self { .traits(.timeout(.seconds(3)), .retry(.attempts(3))) }
}

@Suite(.watched) struct TraitTests {
  private let pond = Pond("traits")

  // MARK: - Bundles

  @Test func aBundleGivesAllItIsMadeOf() async throws {
    let calls = Logbook<Int>()
    let pebble = pond.pebble("call", .networkCall) {
      calls.note(0)
      throw Breakdown()
    }

    let report = try await pond.run()

    #expect(calls.entries.count == 3)
    #expect(report.record(of: pebble)?.attempts.count == 3)
  }

  @Test func whatStandsBehindABundleReplacesWhatItGave() async throws {
    let calls = Logbook<Int>()
    pond.pebble("call", .networkCall, .retry(.attempts(1))) {
      calls.note(0)
      throw Breakdown()
    }

    _ = try await pond.run()

    #expect(calls.entries.count == 1)
  }

  @Test func bundlesMayBeEmptyAndHoldBundles() async throws {
    let pebble = pond.pebble("plain", .traits(), .traits(.traits(.priority(1)), .traits([]))) {}

    #expect(try await pond.run().outcome(of: pebble).isSucceeded)
  }

  @Test func keysAddUp() async throws {
    let (a, b) = (Occupancy(), Occupancy())
    for number in 0..<10 {
      pond.pebble("both \(number)", .traits(.exclusive("a"), .exclusive("b"))) {
        a.enter()
        b.enter()
        await Task.yield()
        b.leave()
        a.leave()
      }
      pond.pebble("a \(number)", .exclusive("a")) { await a.visit() }
      pond.pebble("b \(number)", .exclusive("b")) { await b.visit() }
    }

    #expect(try await pond.run().isAllSucceeded)
    #expect(a.maximum == 1 && b.maximum == 1)
  }

  @Test func unitsAddUp() {
    pond.pebble("greedy", .uses("units", 2, of: 2), .uses("units")) {}

    #expect(
      pond.faultsOfStart.map(\.description) == [
        "\"greedy\" uses 3 units of the resource \"units\", which has 2; "
          + "use fewer or raise its capacity"
      ])
  }

  @Test func aPebbleTakesPartOnlyIfAllItIsGivenSaySo() async throws {
    let neither = pond.pebble("a", .enabled { true }, .enabled { false }) {}
    let both = pond.pebble("b", .enabled { true }, .enabled { true }) {}

    let report = try await pond.run()

    #expect(report.outcome(of: neither).skipReason == .disabled)
    #expect(report.outcome(of: both).isSucceeded)
  }

  // MARK: - Every kind of pebble takes them

  @Test func inputsCallbacksAndServicesTakeTraits() async throws {
    let number = pond.pebble("number") { 1 }
    let calls = Logbook<String>()
    pond.pebble("inputs", .retry(.attempts(2)), needs: number) { _ in
      calls.note("inputs")
      throw Breakdown()
    }
    pond.pebble("callback", .retry(.attempts(2))) { complete in
      calls.note("callback")
      complete(false)
    }
    pond.service("service", .retry(.attempts(2))) { _ in
      calls.note("service")
      throw Breakdown()
    }

    _ = try await pond.run()

    for name in ["inputs", "callback", "service"] {
      #expect(calls.entries.count { $0 == name } == 2)
    }
  }

  @Test(arguments: 1...6) func aPebbleMayTakeAnyNumberOfInputs(count: Int) async throws {
    let all = (1...6).map { number in pond.pebble("p\(number)") { number } }
    let sum =
      switch count {
      case 1: pond.pebble("sum", needs: all[0]) { $0 }
      case 2: pond.pebble("sum", needs: all[0], all[1]) { $0 + $1 }
      case 3: pond.pebble("sum", needs: all[0], all[1], all[2]) { $0 + $1 + $2 }
      case 4: pond.pebble("sum", needs: all[0], all[1], all[2], all[3]) { $0 + $1 + $2 + $3 }
      case 5:
        pond.pebble("sum", needs: all[0], all[1], all[2], all[3], all[4]) { a, b, c, d, e in
          a + b + c + d + e
        }
      default:
        pond.pebble("sum", needs: all[0], all[1], all[2], all[3], all[4], all[5]) {
          (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) in a + b + c + d + e + f
        }
      }

    #expect(try await pond.run()[sum] == (1...count).reduce(0, +))
  }

  // MARK: - Clusters

  @Test func aClusterGivesItsTraitsToEveryPebble() async throws {
    let inner = Pond("inner")
    let calls = Logbook<String>()
    inner.pebble("one") {
      calls.note("one")
      throw Breakdown()
    }
    inner.pebble("own", .retry(.attempts(1))) {
      calls.note("own")
      throw Breakdown()
    }
    pond.add(inner, as: "cluster", .retry(.attempts(3)))

    _ = try await pond.run()

    #expect(calls.entries.count { $0 == "one" } == 3)
    #expect(calls.entries.count { $0 == "own" } == 1, "a trait of its own counts more")
  }

  @Test func aClusterIsAskedOnceWhetherItTakesPart() async throws {
    let asked = Logbook<Int>()
    let inner = Pond("inner")
    for number in 0..<5 { inner.pebble("\(number)") {} }
    pond.add(
      inner, as: "cluster",
      .enabled {
        asked.note(0)
        return false
      })

    let report = try await pond.run()

    #expect(asked.entries.count == 1)
    #expect(report.records.allSatisfy { $0.outcome.skipReason == .disabled })
  }

  @Test func whatIsForServicesGoesToTheServicesOfACluster() async throws {
    let inner = Pond("inner")
    inner.pebble("plain") {}
    inner.service("service") { ready in ready() }
    pond.add(inner, as: "cluster", .ending(.ignore))
    let run = try pond.start(eventHistory: 20)

    #expect(try await run.report.records.allSatisfy { $0.outcome.isSucceeded })
    try await run.shutdown()
  }

  // MARK: - What makes no sense

  @Test func anEndingIsForServicesOnly() {
    pond.pebble("plain", .ending(.ignore)) {}

    #expect(
      pond.faultsOfStart.map(\.description) == [
        "\"plain\" has the trait .ending(_:), which is for services only; leave it out"
      ])
  }

  @Test func aServiceCannotBlock() {
    pond.service("service", .blocking) { ready in ready() }

    #expect(
      pond.faultsOfStart.map(\.description) == [
        "\"service\" is a service and cannot be blocking; give it an executor"
      ])
  }
}
