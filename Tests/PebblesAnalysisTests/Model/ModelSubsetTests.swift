import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of models and scenarios that are limited to some pebbles.
@Suite(.watched) struct ModelSubsetTests {
  private let pond = Pond("up", maxConcurrent: 3)

  @Test func aPartHasTheClustersThatItsPebblesAreIn() throws {
    let (first, second) = (Pond("first"), Pond("second"))
    let one = first.pebble("one") {}
    first.pebble("two") {}
    second.pebble("other") {}
    let cluster = pond.add(first, as: "first")
    pond.add(second, as: "second")
    let web = pond.pebble("web") {}
    let last = pond.pebble("last", when: cluster[one].succeeded) {}
    func clusters(of target: any PebbleIdentifying) throws -> [String] {
      try pond.model().subset(for: [target]).pond.graph.clusters.map { "\($0.name) \($0.pebbles)" }
    }

    #expect(try clusters(of: web) == [])
    #expect(try clusters(of: last) == ["first 0..<1"])
  }

  @Test(arguments: 0..<4)
  func whatIsSaidOfAPartIsTrueOfTheWhole(shard: Int) async throws {
    var generator = SeededGenerator(seed: 7_100 + UInt64(shard))
    var lawCount = 0
    for _ in 0..<Thoroughness.times(50) {
      // Other tests want a turn.
      await Task.yield()
      let reference =
        Bool.random(using: &generator)
        ? ReferencePond.random(mostPebbles: 10, using: &generator)
        : .randomWithCases(mostPebbles: 7, mostEndings: 1_000, using: &generator)
      let pond = shard < 2 ? Pond("random", smallestShared: 1) : Pond("random")
      let pebbles = reference.define(in: pond)
      let targets = pebbles.shuffled(using: &generator)
        .prefix(Int.random(in: 1...3, using: &generator)).map { $0 as any PebbleIdentifying }
      let (whole, part) = (try pond.scenarios(), try pond.scenarios(only: targets))

      let names = try pond.subset(for: targets)
      guard part.model.names == names else {
        Issue.record("\(part.model.names) are not \(names)\n\(reference)")
        return
      }
      let inside = pebbles.filter { part.model.position(of: $0) != nil }
      var wrong = inside.filter { part.runs($0) != whole.runs($0) }.map { "\($0.name) runs" }
      for _ in 0..<8 {
        let law = RandomLaw(pebbles, of: reference, using: &generator).law
        // One that is about others has no answer.
        guard let result = try? part.check(law) else { continue }
        lawCount += 1
        if try result.isKept != whole.check(law).isKept { wrong.append(law.label) }
      }
      let again = try part.model.subset(for: targets)
      if again.json() != part.model.json() { wrong.append("the part of the part") }
      if !wrong.isEmpty {
        Issue.record("\(wrong) of \(names)\n\(reference)")
        return
      }
    }
    #expect(lawCount > 0)
  }

  @Test func aPartIsAsIfThereWereNothingElse() throws {
    let inner = Pond("inner", maxConcurrent: 1)
    _ = inner.pebble("other") {}
    let first = inner.pebble("first", .timeout(.seconds(1))) { 1 }
    let cache = pond.pebble("cache") {}
    let cluster = pond.add(inner, as: "db")
    let web = pond.pebble("web", needs: cluster[first], when: !cache.failed) { _ in }
    let mail = pond.pebble("mail", when: web.failed) {}
    pond.goal = web.succeeded

    let model = try pond.model().subset(for: [web])

    #expect(model.names == ["cache", "db/first", "web"])
    #expect(model.inputs(at: 2) == [1])
    #expect("\(model.condition(at: 2))" == "\"db/first\".succeeded && !cache.failed")
    #expect(model.timeout(at: 1) == .seconds(1))
    #expect(model.position(of: web) == 2)
    #expect(model.position(of: mail) == nil)
    #expect("\(try #require(model.goal))" == "web.succeeded")
    #expect(model.pond.graph.clusters.map(\.pebbles) == [1..<2])
    #expect(model.limits.maxConcurrent == 3)
    #expect(try PondModel(json: model.json()).json() == model.json())

    pond.goal = web.succeeded || mail.succeeded
    #expect(try pond.model().subset(for: [web]).goal == nil)
    #expect(try pond.model().subset(for: [mail]).goal != nil)
  }

  @Test func whichPebblesHaveOutputsIsKnownOfAPartAsOfTheWhole() throws {
    pond.pebble("log") { "log" }
    let cache = pond.pebble("cache") {}
    let web = pond.pebble("web", when: cache.succeeded) { 80 }

    let model = try pond.model()
    let part = try model.subset(for: [web])

    #expect((0..<4).map(model.hasKnownOutput(at:)) == [true, false, true, false])
    #expect((0..<3).map(part.hasKnownOutput(at:)) == [false, true, false])
  }

  @Test func howMuchThereIsMayBeSaidOutside() throws {
    let web = pond.pebble("web", .uses("connection", 2)) {}
    pond.pebble("mail", .uses("connection", of: 4)) {}

    let part = try pond.model().subset(for: [web])
    #expect(part.limits.capacities == [4])
    #expect(try PondModel(json: part.json()).json() == part.json())
  }

  @Test func whatIsNotThereIsAnError() throws {
    let web = pond.pebble("web") {}
    let others = [Pond("other").pebble("web") {}, Pond("third").pebble("mail") {}]

    let error = #expect(throws: PondError.self) {
      try pond.scenarios(only: [others[0], others[1]])
    }
    #expect(error?.faults.count == 2)
    #expect(throws: PondError.self) { try pond.scenarios(only: []) }
    #expect(throws: UnknownPebbleError.self) { try pond.model().subset(for: [others[0]]) }
    let part = try pond.scenarios(only: [web])
    #expect(throws: UnknownPebbleError.self) { try part.check(.always(others[0].succeeded)) }
  }
}
