import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests that assumed failures and disabled pebbles have the same effects in simulations, in the
/// endings of scenarios and in explanations.
@Suite(.watched) struct AssumedRunTests {
  @Test(arguments: 0..<4)
  func simulationsEndingsAndReasonsAgree(shard: Int) async throws {
    var generator = SeededGenerator(seed: 9_000 + UInt64(shard))
    for _ in 0..<60 {
      var reference = ReferencePond.random(
        mostPebbles: 10, withCases: shard >= 2, using: &generator)
      if Bool.random(using: &generator) { reference.giveSome(using: &generator) }
      let pond = reference.definedPond()
      let names = try pond.model().names.map(PebbleID.named)
      let decisions = names.indices.map { pebble in
        reference.cases[pebble].assumed(
          mayFail: !reference.given.contains(pebble), using: &generator)
      }
      let disabling = names.filter { _ in generator.next() % 5 == 0 }
      let assumed =
        zip(names, decisions).map { $1.assumption(of: $0) } + disabling.map { .disabled($0) }

      let report = try await pond.simulate(given: assumed)
      let ending = try pond.scenarios().ending(given: assumed)

      for (name, decision) in zip(names, decisions) {
        let why = try pond.why(name, given: assumed)
        let outcome = report.recorded().outcome(of: name)
        let held = report.record(of: name)?.cases ?? []
        guard why.nodes[0].outcome.event == outcome.event, ending.event(of: name) == outcome.event,
          Set(held) == (outcome.event == .skipped ? [] : decision.cases),
          ending.cases(of: name) == held
        else {
          Issue.record("\(name): \(report)\n\(ending)\n\(why)\n\(reference)")
          return
        }
      }
    }
  }

  @Test func whatRunsAreGivenNeedsNoValue() async throws {
    let pond = Pond("page")
    let user = pond.given("user", String.self)
    let isGuest = user.succeeded("guest") { $0.isEmpty }
    let size = pond.given("size", default: 20)
    let signUp = pond.pebble("signUp", when: isGuest) {}
    let list = pond.pebble("list", needs: user, size) { _, _ in }

    let report = try await pond.simulate(given: [.succeeds(user, as: isGuest)])

    #expect(report.succeeded(signUp) && report.succeeded(list) && report.succeeded(size))
    #expect(try await pond.simulate().skipped(signUp))
  }

  @Test func whatRunsAreGivenCannotBeAssumedToFail() async throws {
    let pond = Pond("page")
    let user = pond.given("user", String.self)
    pond.pebble("list", needs: user) { _ in }

    await #expect(throws: AssumptionError.self) { try await pond.simulate(failing: [user]) }
    #expect(throws: AssumptionError.self) { try pond.scenarios().ending(failing: [user]) }
  }

  @Test func whatRunsAreGivenNeitherFailsNowAndThenNorTakesTime() async throws {
    let pond = Pond("page")
    let user = pond.given("user", String.self)
    pond.pebble("list", needs: user) { _ in }

    let error = await #expect(throws: SimulationError.self) {
      try await pond.simulate(flaky: [user: 1], taking: [user: .seconds(1)])
    }

    let problem = "\"user\" is given to each run; it has no body that could fail or take time"
    #expect(error?.problems == [problem, problem])
    #expect(try await pond.simulate(flaky: [user: 0], taking: [user: .zero]).isAllSucceeded)
  }

  @Test func whatHasNoEnablingConditionCanBeDisabled() async throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let show = pond.pebble("show", when: load.skipped) {}

    let report = try await pond.simulate(disabling: [load])
    let ending = try pond.scenarios().ending(disabling: [load])
    let why = try pond.why(show, given: [.disabled(load)])

    #expect(report.succeeded(show))
    #expect(ending.outcome(of: load) == .disabled)
    #expect(ending.outcome(of: show) == .succeeded)
    #expect(why.sentence.contains("load was disabled"))
  }

  @Test func failurePolicyIsFollowedOrMentioned() async throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let ping = pond.pebble("ping") {}
    let load = pond.pebble("load") {}
    let show = pond.pebble("show", when: load.settled) {}

    // A failure that a pebble handles cancels nothing.
    #expect(try await !pond.simulate(failing: [load]).isCancelled)
    #expect(try pond.scenarios().ending(failing: [load]).limitations.isEmpty)
    #expect(try pond.why(show, given: [.fails(load)]).limitations.isEmpty)

    let report = try await pond.simulate(failing: [ping], taking: [load: .seconds(1)])
    let bad = try pond.scenarios().ending(failing: [ping])
    let good = try pond.scenarios().ending()

    #expect(report.isCancelled)
    #expect(bad.outcome(of: show) == .succeeded)
    #expect(bad.limitations == [.failurePolicy])
    #expect(good.limitations.isEmpty)
    #expect(try pond.why(show, given: [.fails(ping)]).limitations == [.failurePolicy])
    #expect(try pond.why(show).limitations.isEmpty)
    // Those that are found instead of asked for say so, too.
    #expect(try pond.scenarios().endings.contains { $0.limitations == [.failurePolicy] })
    #expect(report.why(show).limitations.isEmpty)
  }
}

extension ReferenceCases {
  /// Returns a random way in which the pebble can end, in which at most one case holds.
  fileprivate func assumed(
    mayFail: Bool, using generator: inout SeededGenerator
  ) -> ReferenceDecision {
    let decisions = ReferenceDecision.all(self).filter {
      $0.cases.count <= 1 && (mayFail || $0.succeeds)
    }
    return decisions.randomElement(using: &generator) ?? decisions[0]
  }
}

extension ReferenceDecision {
  fileprivate func assumption(of pebble: PebbleID) -> Assumption {
    guard let one = cases.first else { return succeeds ? .succeeds(pebble) : .fails(pebble) }
    return succeeds ? .succeeds(pebble, as: one) : .fails(pebble, as: one)
  }
}

extension Ending {
  fileprivate func event(of name: PebbleID) -> Event? {
    outcome(of: name).map { $0.isSkipped ? .skipped : $0 == .failed ? .failed : .succeeded }
  }
}
