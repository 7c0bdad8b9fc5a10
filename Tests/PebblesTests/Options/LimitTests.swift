import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct LimitTests {
  @Test(arguments: [1, 2, 3, 7])
  func noMorePebblesRunThanAllowed(limit: Int) async throws {
    let pond = Pond("narrow", maxConcurrent: limit)
    let occupancy = Occupancy()
    let first = (0..<20).map { number in
      pond.pebble("first \(number)") { await occupancy.visit() }
    }
    for (number, pebble) in first.enumerated() {
      pond.pebble("second \(number)", when: pebble.succeeded) { await occupancy.visit() }
      pond.pebble("third \(number)", when: pebble.settled) { await occupancy.visit() }
    }

    for _ in 0..<20 {
      let report = try await pond.run()
      #expect(report.isAllSucceeded)
    }

    #expect((1...limit).contains(occupancy.maximum))
  }

  @Test(arguments: [2, 3, 7])
  func asManyRunAsAllowed(limit: Int) async throws {
    let pond = Pond("narrow", maxConcurrent: limit)
    for meeting in 0..<3 {
      let everybody = Meeting(of: limit)
      for guest in 0..<limit { pond.pebble("\(meeting).\(guest)") { await everybody.attend() } }
    }

    let report = try await pond.run()

    #expect(report.isAllSucceeded)
  }

  @Test func anEndlessAllowanceIsNoLimit() async throws {
    let pond = Pond("wide", maxConcurrent: .max)
    let everybody = Meeting(of: 100)
    for guest in 0..<100 { pond.pebble("\(guest)") { await everybody.attend() } }

    #expect(try await pond.run().isAllSucceeded)
  }

  @Test func pebblesOfOneKeyNeverOverlap() async throws {
    let pond = Pond("keys")
    let occupancies = (0..<3).map { _ in Occupancy() }
    for number in 0..<30 {
      pond.pebble("\(number)", .exclusive("key \(number % 3)")) {
        await occupancies[number % 3].visit()
      }
    }

    for _ in 0..<20 { _ = try await pond.run() }

    #expect(occupancies.map(\.maximum) == [1, 1, 1])
  }

  @Test func pebblesOfOtherKeysDo() async throws {
    let pond = Pond("keys")
    let everybody = Meeting(of: 4)
    pond.pebble("a", .exclusive("a")) { await everybody.attend() }
    pond.pebble("b", .exclusive("b")) { await everybody.attend() }
    // A key and a resource of one name are two things.
    pond.pebble("resource", .uses("a", of: 1)) { await everybody.attend() }
    pond.pebble("free") { await everybody.attend() }

    #expect(try await pond.run().isAllSucceeded)
  }

  @Test func noMoreUnitsAreHeldThanThereAre() async throws {
    let pond = Pond("connections")
    let connections = Occupancy()
    let disk = Occupancy()
    for number in 0..<40 {
      let units = number % 4 + 1
      pond.pebble(
        "\(number)", .uses("connections", units, of: 5), .uses("disk", of: 2)
      ) {
        disk.enter()
        await connections.visit(units: units)
        disk.leave()
      }
    }

    for _ in 0..<20 { _ = try await pond.run() }

    #expect(connections.maximum <= 5)
    #expect(disk.maximum <= 2)
  }

  @Test func asManyUnitsAreHeldAsThereAre() async throws {
    let pond = Pond("connections")
    let everybody = Meeting(of: 3)
    pond.pebble("one", .uses("c", of: 4)) { await everybody.attend() }
    pond.pebble("another", .uses("c", 1)) { await everybody.attend() }
    pond.pebble("two", .uses("c"), .uses("c")) { await everybody.attend() }

    #expect(try await pond.run().isAllSucceeded)
  }

  @Test func runsCountForThemselves() async throws {
    let pond = Pond("twice", maxConcurrent: 1)
    let both = Meeting(of: 2)
    pond.pebble("only", .exclusive("key"), .uses("c", of: 1)) {
      await both.attend()
    }

    async let one = pond.run()
    async let other = pond.run()

    #expect(try await one.isAllSucceeded)
    #expect(try await other.isAllSucceeded)
  }

  @Test func whoWantsAllOfAResourceIsNotOvertakenByThoseBehind() async throws {
    for _ in 0..<50 {
      let pond = Pond("starvation")
      let journal = Logbook<String>()
      let isReady = Gate()
      let small = PebbleTrait.uses("connections", of: 2)
      let start = pond.pebble("start") {}
      let heads = (0..<2).map { chain in
        pond.pebble("head \(chain)", small) { await isReady.passed() }
      }
      pond.pebble("big", .uses("connections", 2), when: start.succeeded) {
        journal.note("big")
      }
      // Ready at the same moment as `big`, which waits for both heads from then on.
      pond.pebble("witness", when: start.succeeded) { isReady.open() }
      // Two chains of many links, each ready before the other chain lets go of its unit.
      for (chain, head) in heads.enumerated() {
        var last = head
        for link in 0..<50 {
          last = pond.pebble("\(chain).\(link)", small, when: last.succeeded) {
            journal.note("link")
            await Task.yield()
          }
        }
      }

      _ = try await pond.run()

      // It ranks before every link.
      #expect(journal.entries.first == "big")
      #expect(journal.count == 101)
    }
  }

  @Test func whoWaitsForAResourceKeepsNoPlaceFromOthers() async throws {
    let pond = Pond("places", maxConcurrent: 2)
    let gate = Gate()
    pond.pebble("holder", .exclusive("key")) { await gate.passed() }
    pond.pebble("waiting", .exclusive("key")) {}
    pond.pebble("free") { gate.open() }

    #expect(try await pond.run().isAllSucceeded)
  }

  @Test func aServiceHoldsItsUnitsUntilItIsReady() async throws {
    let pond = Pond("services", maxConcurrent: 1)
    for number in 0..<3 {
      pond.service("\(number)", .exclusive("key")) { ready in
        ready()
        try await untilCancelled()
      }
    }

    let run = try pond.start()
    let report = try await run.report
    try await run.shutdown()

    #expect(report.isAllSucceeded)
  }
}
