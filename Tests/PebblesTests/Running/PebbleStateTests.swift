import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the states that a run under way reports for its pebbles.
@Suite(.watched) struct PebbleStateTests {
  private let clock = ManualClock()

  private func state(of name: String, _ status: RunStatus) -> RunStatus.State? {
    status.pebbles.first { $0.name == name }?.state
  }

  @Test func eachPebbleSaysWhatItIsAtAndWhatItWaitsFor() async throws {
    let pond = Pond("states")
    let (started, gate) = (Meeting(of: 1), Gate())
    let fine = pond.pebble("fine") { [clock] in clock.advance(by: .seconds(2)) }
    let broken = pond.pebble("broken", when: fine.succeeded) { throw Breakdown("no route") }
    let slow = pond.pebble("slow", when: broken.failed) {
      await started.attend()
      await gate.passed()
    }
    let gone = pond.pebble("gone", when: fine.failed) {}
    let next = pond.pebble("next", when: slow.succeeded && (gone.succeeded || fine.succeeded)) {}
    pond.pebble("last", when: next.completed || slow.failed) {}
    pond.pebble("reader", when: fine.settled && slow.failed) {}

    let run = try pond.start(clock: clock)
    await started.attendAsGuest()
    let status = run.status
    gate.open()
    _ = try await run.report

    #expect(status.pebbles.map(\.name).count == 7)
    #expect(state(of: "fine", status)?.kind == .succeeded)
    #expect(state(of: "broken", status)?.error?.text == "no route")
    #expect(state(of: "slow", status)?.since == .seconds(2))
    #expect(state(of: "slow", status)?.attempt == 1)
    #expect(state(of: "gone", status)?.skipReason == .conditionFalse(decidedBy: "fine"))
    #expect(state(of: "gone", status)?.skipKind == .notNeeded)
    #expect(state(of: "next", status)?.waitingFor == ["slow"])
    #expect(Set(state(of: "last", status)?.waitingFor ?? []) == ["next", "slow"])
    #expect(state(of: "reader", status)?.waitingFor == ["slow"])
    #expect(
      status.pebbles.map(\.state.description) == [
        "succeeded", "failed: no route", "running since 2.00 s, attempt 1",
        "not needed: conditionFalse(decidedBy: \"fine\")", "waiting for slow",
        "waiting for slow, next", "waiting for slow",
      ])
    #expect(run.status.pebbles.allSatisfy { $0.state.kind != .waiting })
  }

  @Test func aReadyPebbleNamesTheLimitsThatHoldItBack() async throws {
    let inner = Pond("inner", maxConcurrent: 1)
    let (started, gate) = (Meeting(of: 2), Gate())
    inner.pebble("holder") {
      await started.attend()
      await gate.passed()
    }
    inner.pebble("crowded") {}
    let pond = Pond("limits", maxConcurrent: 3)
    pond.add(inner, as: "few")
    pond.pebble("owner", .exclusive("key"), .uses("lines", 2, of: 2)) {
      await started.attend()
      await gate.passed()
    }
    pond.pebble("both", .exclusive("key"), .uses("lines")) {}
    pond.pebble("one", .uses("lines")) {}

    let run = try pond.start(clock: clock)
    await started.attendAsGuest()
    let status = run.status
    gate.open()
    _ = try await run.report

    #expect(state(of: "few/crowded", status)?.limits.map(\.description) == ["cluster \"few\""])
    #expect(
      Set(state(of: "both", status)?.limits.map(\.description) ?? [])
        == ["exclusive \"key\"", "resource \"lines\""])
    #expect(state(of: "one", status)?.limits.map(\.description) == ["resource \"lines\""])
    #expect(state(of: "one", status)?.kind == .ready)
  }

  @Test func aPondThatIsFullSaysSo() async throws {
    let pond = Pond("full", maxConcurrent: 1)
    let (started, gate) = (Gate(), Gate())
    pond.pebble("first") {
      started.open()
      await gate.passed()
    }
    pond.pebble("second") {}

    let run = try pond.start()
    await started.passed()
    let status = run.status
    gate.open()
    _ = try await run.report

    #expect(state(of: "second", status)?.limits == [RunStatus.Limit(.maxConcurrent)])
    #expect(state(of: "second", status)?.description == "ready, behind maxConcurrent")
  }

  @Test func aPebbleThatIsTriedAgainSaysWhichAttemptItIsAt() async throws {
    let pond = Pond("attempts")
    let (second, gate) = (Gate(), Gate())
    pond.pebble("flaky", .retry(.attempts(2))) {
      guard PebbleContext.current?.attempt == 2 else { throw Breakdown() }
      second.open()
      await gate.passed()
    }

    let run = try pond.start(clock: clock)
    await second.passed()
    let status = run.status
    gate.open()
    _ = try await run.report

    #expect(state(of: "flaky", status)?.attempt == 2)
  }

  @Test func aPebbleThatIsSkippedWhileStatusesAreReadIsNotReady() async throws {
    let pond = Pond("late")
    let first = pond.pebble("first") { throw Breakdown() }
    pond.pebble("next", when: first.succeeded) {}

    let run = try pond.start()
    _ = try await run.report
    // The status of the second was read before it was skipped.
    let states = PebbleStates(run.core, [.failed, .waiting])

    #expect(states[1].kind == .waiting)
  }

  @Test func whatStalledSaysWhatItWaitedFor() async throws {
    let pond = Pond("stalled")
    let own = pond.pebble("own") {}
    own.ready = own.succeeded

    let run = try pond.start()
    _ = try await run.report

    #expect(state(of: "own", run.status)?.skipReason == .stalled(waitingOn: ["own"]))
  }

  @Test func aHundredPebblesAreNamedAndNoMore() async throws {
    let pond = Pond("many")
    let (started, gate) = (Meeting(of: 1), Gate())
    let first = pond.pebble("first") {
      await started.attend()
      await gate.passed()
    }
    let many = (0..<150).map { pond.pebble("p\($0)", when: first.succeeded) {} }
    pond.pebble("last", when: .all(many.map(\.succeeded))) {}

    let run = try pond.start()
    await started.attendAsGuest()
    let status = run.status
    gate.open()
    _ = try await run.report

    #expect(state(of: "last", status)?.waitingFor.count == 100)
  }

  // MARK: Pictures

  @Test func aRunUnderWayIsDrawnWithWhatRuns() async throws {
    let pond = Pond("drawn")
    let (started, gate) = (Meeting(of: 1), Gate())
    let first = pond.pebble("first") {}
    let slow = pond.pebble("slow", when: first.succeeded) { [clock] in
      await started.attend()
      await gate.passed()
      clock.advance(by: .seconds(1))
    }
    pond.pebble("next", when: slow.succeeded || first.failed) {}
    pond.pebble("reader", when: slow.failed) {}

    let run = try pond.start(clock: clock)
    await started.attendAsGuest()
    clock.advance(by: .milliseconds(1_500))
    let (dot, mermaid) = (run.dot(legend: true), run.mermaid())
    gate.open()
    let report = try await run.report

    let palette = PebbleStatus.running.palette(isBlocked: false)
    let line = dot.split(separator: "\n").first { $0.contains("label=\"slow\\n") } ?? ""
    #expect(line.contains("slow\\nrunning for 1.50 s"))
    #expect(line.contains("color=\"\(palette.line)\"") && line.contains("penwidth=2.5"))
    #expect(dot.contains("label=\"next\\nwaiting\""))
    #expect(dot.contains("label=\"drawn, 1.50 s\""))
    #expect(mermaid.contains("p1[\"slow<br/>1#46;50 s\"]:::running\n"))
    #expect(mermaid.contains("p2[\"next\"]:::waiting\n"))
    #expect(mermaid.contains("classDef running ") && mermaid.contains("classDef waiting "))
    #expect(!report.mermaid().contains("classDef running"))
    #expect(run.dot() == report.dot())
    if Graphviz.isInstalled { #expect(try Graphviz.svg(dot).contains("running for")) }
  }

  @Test func statusAndPicturesMayBeMadeAtAnyTime() async throws {
    let pond = Pond("any", maxConcurrent: 3)
    var last = pond.pebble("0") {}
    for number in 1..<40 {
      let before = last
      last = pond.pebble("\(number)", when: number % 7 == 6 ? .always : before.completed) {
        await Task.yield()
        if number % 4 == 0 { throw Breakdown() }
      }
    }
    let own = pond.pebble("own") {}
    own.ready = own.succeeded
    for _ in 0..<50 {
      let run = try pond.start()
      var isOver = false
      while !isOver {
        let status = run.status
        isOver = status.phase != .booting
        #expect(status.pebbles.count == status.total)
        #expect(run.dot().hasSuffix("}\n"))
        await Task.yield()
      }
      _ = try await run.report
    }
  }
}
