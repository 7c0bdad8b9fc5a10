import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of explanations of outcomes by example.
@Suite(.watched) struct WhyTests {
  @Test func skipIsFollowedDownToTheBodyThatFailed() async throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") { throw Breakdown("no route") }
    let login = pond.pebble("login", when: ping.succeeded) {}
    let cache = pond.pebble("cache", .enabled { false }) {}
    let refresh = pond.pebble("refresh", when: login.succeeded || cache.succeeded) {}

    let why = try await pond.run().why(refresh)

    #expect(
      why.description == """
        refresh was blocked
        ├─ needs login to succeed, but it was blocked
        │  └─ needs ping to succeed, but it failed: no route
        └─ or needs cache to succeed, but it was disabled
        """)
    #expect(
      why.sentence == "refresh was blocked: it needs login to succeed or cache to succeed, but "
        + "login was blocked and cache was skipped; at the root, ping failed: no route and cache "
        + "was disabled")
    #expect(why.elidedPebbles == 0)
  }

  @Test func falseAndIsPutDownToTheOperandThatWasFalseFirst() throws {
    let pond = Pond("boot")
    let slow = pond.pebble("slow") {}
    let quick = pond.pebble("quick") {}
    pond.pebble("show", when: slow.failed && quick.failed) {}

    let why = try pond.simulated(durations: [9, 2]).why(.named("show"))

    #expect(
      why.description == """
        show was not needed
        └─ needs quick to fail, but it succeeded
        """)
    #expect(why.sentence == "show was not needed: it needs quick to fail, but quick succeeded")
  }

  /// Checks conditions with two operands that become false at the same time. The operand on the
  /// pebble that is defined second is processed first.
  @Test func theTreeNamesThePebbleThatTheReasonNames() async throws {
    let pond = Pond("boot")
    let broken = pond.pebble("broken") { throw Breakdown() }
    let first = pond.pebble("first", when: broken.succeeded) {}
    let second = pond.pebble("second", when: broken.succeeded) {}
    let both = first.succeeded && second.succeeded
    let skipped = [both, both || broken.succeeded, both || (second.completed && first.completed)]
      .enumerated().map { pond.pebble("s\($0)", when: $1) {} }

    let report = try await pond.run()

    for pebble in skipped {
      let record = try #require(report.record(of: pebble))
      let decider = try #require(record.outcome.skipReason?.decidedBy)
      let why = report.why(pebble)
      #expect(why.sentence.contains("\(decider) to "))
      #expect(why.nodes.contains { $0.depth == 1 && $0.name == decider })
      #expect(record.explanation.contains("\(decider) to "))
    }
  }

  @Test func manyThatEndAtOnceGiveOneReasonEverywhere() async throws {
    for round in 0..<100 {
      let pond = Pond("p")
      let failing = (0..<6).map { number in
        pond.pebble("f\(number)") {
          if (number + round) % 3 == 0 { await Task.yield() }
          throw Breakdown()
        }
      }
      for number in 0..<6 {
        let needed = (0..<3).map { failing[(number + 2 * $0) % 6].succeeded }
        pond.pebble("s\(number)", when: .all(needed)) {}
      }

      let report = try await pond.run()

      for record in report.records {
        guard let decider = record.outcome.skipReason?.decidedBy else { continue }
        #expect(record.explanation.contains("needs \(decider) to"))
        #expect(report.why(.named(record.name)).sentence.contains("needs \(decider) to"))
      }
    }
  }

  @Test func trueConditionIsPutDownToWhatEnabledIt() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b") {}
    let c = pond.pebble("c", when: b.failed) {}
    let d = pond.pebble("d") {}
    pond.pebble("show", when: (a.completed || d.succeeded) && !c.completed) {}

    let why = try pond.simulated(durations: [9, 2, 0, 3]).why(.named("show"))

    #expect(
      why.description == """
        show succeeded
        ├─ because c was not needed
        │  └─ needs b to fail, but it succeeded
        └─ and because d succeeded
        """)
    #expect(
      why.sentence == "show succeeded, having started because c was not needed and d succeeded; "
        + "at the root, b succeeded")
  }

  @Test func labelsAreUsed() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let token = pond.pebble("token") {}
    let online = (ping.succeeded && token.succeeded).labeled("online")
    let show = pond.pebble("show", when: online) {}
    pond.pebble("offline", when: !online && show.skipped) {}

    let show1 = try pond.why(show, given: [.fails(.named("token"))])
    let offline = try pond.model().why(.named("offline"))

    #expect(
      show1.description == """
        show was blocked
        └─ "online": needs token to succeed, but it failed
        """)
    #expect(
      show1.sentence == "show was blocked: it needs \"online\", that is token to succeed, "
        + "but token failed")
    #expect(
      offline.description == """
        offline was not needed
        ├─ "not online": needs ping to fail or be skipped, but it succeeded
        └─ "not online": or needs token to fail or be skipped, but it succeeded
        """)
  }

  @Test func failedPebbleSaysItsErrorAndWhyItStarted() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let load = pond.pebble("load", when: ping.settled) {}
    let show = pond.pebble("show", when: load.succeeded) {}

    let load1 = try pond.why(load, given: [.fails(load, error: "out\nof <luck>"), .fails(ping)])
    let show1 = try pond.why(show, given: [.fails(load, error: "no"), .fails(ping)])

    #expect(
      load1.description == """
        load failed: out⏎of <luck>
        └─ because ping failed
        """)
    #expect(
      load1.sentence == "load failed, having started because ping failed: out⏎of <luck>")
    #expect(
      show1.description == """
        show was blocked
        └─ needs load to succeed, but it failed: no
        """)
  }

  @Test func conditionThatIsFalseFromTheStartIsARoot() throws {
    let pond = Pond("boot")
    let never = pond.pebble("never", when: .never) {}
    let after = pond.pebble("after", when: never.succeeded) {}

    #expect(
      try pond.why(after).description == """
        after was not needed
        └─ needs never to succeed, but it was not needed: its condition is false from the start
        """)
    #expect(
      try pond.why(never).sentence
        == "never was not needed: its condition is false from the start")
    #expect(
      try pond.why(after).sentence
        == "after was not needed: it needs never to succeed, but never was not needed; at the "
        + "root, the condition of never is false from the start")
  }

  @Test func sharedPartsAreShownOnce() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let login = pond.pebble("login", when: ping.succeeded) {}
    let a = pond.pebble("a", when: login.succeeded) {}
    let b = pond.pebble("b", when: login.succeeded) {}
    let show = pond.pebble("show", when: a.succeeded || b.succeeded) {}

    #expect(
      try pond.why(show, given: [.fails(ping)]).description == """
        show was blocked
        ├─ needs a to succeed, but it was blocked
        │  └─ needs login to succeed, but it was blocked
        │     └─ needs ping to succeed, but it failed
        └─ or needs b to succeed, but it was blocked
           └─ needs login to succeed, but it was blocked (see above)
        """)
  }

  @Test func cancelledRunSaysWhy() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let login = pond.pebble("login", when: ping.completed) {}
    pond.pebble("show", when: login.succeeded || ping.failed) {}

    let run = try pond.simulated { $0.cancelled = [1, 2] }

    #expect(
      try run.why(.named("show")).sentence
        == "show was skipped: the run was cancelled before it could start: it was cancelled")
    #expect(try run.why(.named("login")).description == "login was skipped: the run was cancelled")
  }

  @Test func pebbleOfAnotherPondWasNotInTheRun() async throws {
    let other = Pond("other").pebble("x") {}
    let pond = Pond("boot")
    pond.pebble("a") {}

    let why = try await pond.run().why(other)

    #expect(why.description == "x was not in the run")
    #expect(
      why.sentence
        == "x was not in the run: \"x\" is a pebble of the pond \"other\", not of this one")
    #expect(try pond.simulated().why(at: 1) == nil)
  }

  @Test func hostileNamesStayOnTheirLines() throws {
    let pond = Pond("boot")
    let bad = pond.pebble("a\n└─ \u{202E}evil\"" + String(repeating: "x", count: 200)) {}
    let show = pond.pebble("show", when: bad.succeeded.labeled("la\nbel")) {}

    let why = try pond.why(show, given: [.fails(bad, error: "e\nrror")])

    #expect(why.description.split(separator: "\n").count == 2)
    #expect(why.sentence.split(separator: "\n").count == 1)
    #expect(!why.description.unicodeScalars.contains("\u{202E}"))
    #expect(why.description.count < 300)
  }

  @Test func largeTreesAreBounded() throws {
    let pond = Pond("boot")
    var last = pond.pebble("p0") {}
    for index in 1..<5_000 { last = pond.pebble("p\(index)", when: last.succeeded) {} }
    let many = (0..<500).map { pond.pebble("q\($0)", when: .never) {} }
    let any = pond.pebble("any", when: .any(many.map(\.succeeded))) {}

    let deep = try pond.why(last, given: [.fails(.named("p0"), error: "no")])
    let wide = try pond.why(any)

    #expect(deep.nodes.count == 100)
    #expect(deep.elidedPebbles == 4_900)
    #expect(deep.sentence.hasSuffix("at the root, p0 failed: no"))
    #expect(wide.nodes.count == 21)
    #expect(wide.nodes[0].elidedChildren == 480)
    #expect(wide.elidedPebbles == 480)
    #expect(wide.description.hasSuffix("└─ … and 480 more\n… and 480 more behind them"))
  }

  @Test func everyEndOfRandomPondsCanBeExplained() throws {
    var generator = SeededGenerator(seed: 9_000)
    for _ in 0..<300 {
      let pond = ReferencePond.random(
        mostPebbles: 10, withCases: Bool.random(using: &generator), using: &generator)
      let run = try pond.simulated(using: &generator)
      for position in run.pebbles.indices {
        let why = try #require(try run.why(at: position))
        #expect(why.nodes.first?.position == position)
        #expect(!why.description.isEmpty && !why.sentence.isEmpty)
        #expect(why.elidedPebbles == 0)
      }
    }
  }
}
