import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct NeedsTests {
  private let pond = Pond("needs")

  @Test func oneToFiveInputsArriveInOrderWithTheirTypes() async throws {
    let int = pond.pebble("int") { 1 }
    let text = pond.pebble("text") { "two" }
    let flag = pond.pebble("flag") { true }
    let list = pond.pebble("list") { [4.0] }
    let nothing = pond.pebble("nothing") {}

    let one = pond.pebble("one", needs: int) { (int: Int) in "\(int)" }
    let two = pond.pebble("two", needs: int, text) { (int: Int, text: String) in "\(int) \(text)" }
    let three = pond.pebble("three", needs: int, text, flag) { "\($0) \($1) \($2)" }
    let four = pond.pebble("four", needs: int, text, flag, list) { "\($0) \($1) \($2) \($3)" }
    let five = pond.pebble("five", needs: int, text, flag, list, nothing) {
      (int, text, flag, list, nothing: Void) in
      "\(int) \(text) \(flag) \(list) \(nothing)"
    }
    let report = try await pond.run()

    #expect(report[one] == "1")
    #expect(report[two] == "1 two")
    #expect(report[three] == "1 two true")
    #expect(report[four] == "1 two true [4.0]")
    #expect(report[five] == "1 two true [4.0] ()")
    #expect(report[nothing] != nil)
  }

  @Test func aPlainInputNeedsSuccess() async throws {
    let failing = pond.pebble("failing") { () async throws -> Int in throw Breakdown() }
    let dependent = pond.pebble("dependent", needs: failing) { $0 + 1 }

    let report = try await pond.run()

    #expect(report.outcome(of: dependent).skipReason == .conditionFalse(decidedBy: "failing"))
  }

  @Test func aResultInputNeedsCompletionAndHandsOnTheError() async throws {
    let failing = pond.pebble("failing") { () async throws -> Int in throw Breakdown("no disk") }
    let good = pond.pebble("good") { 7 }
    let skipped = pond.pebble("skipped", when: .never) { 9 }
    let both = pond.pebble("both", needs: failing.result, good.result) { failing, good in
      #expect(throws: Breakdown("no disk")) { try failing.get() }
      return try good.get()
    }
    let waiting = pond.pebble("waiting", needs: skipped.result) { _ in }

    let report = try await pond.run()

    #expect(report[both] == 7)
    #expect(report.outcome(of: waiting).skipReason == .conditionFalse(decidedBy: "skipped"))
  }

  @Test func anOptionalInputNeedsOnlyAnyOutcome() async throws {
    let failing = pond.pebble("failing") { () async throws -> Int in throw Breakdown() }
    let good = pond.pebble("good") { 7 }
    let skipped = pond.pebble("skipped", when: .never) { 9 }

    let all = pond.pebble("all", needs: failing.optional, good.optional, skipped.optional) {
      [$0, $1, $2]
    }
    let report = try await pond.run()

    #expect(report[all] == [nil, 7, nil])
  }

  @Test func outputsAndResultsOfVoidPebblesCanBeInputs() async throws {
    let good = pond.pebble("good") {}
    let failing = pond.pebble("failing") { throw Breakdown() }
    let callback = pond.pebble("callback") { complete in complete(true) }

    let read = pond.pebble("read", needs: good, good.result, good.optional, callback.result) {
      (nothing: Void, result: Result<Void, any Error>, optional: Void?, called) in
      try result.get()
      try called.get()
      return optional != nil
    }
    let readFailure = pond.pebble("readFailure", needs: failing.result, failing.optional) {
      (result: Result<Void, any Error>, optional: Void?) in
      #expect(throws: Breakdown()) { try result.get() }
      return optional == nil
    }
    let report = try await pond.run()

    #expect(report[read] == true)
    #expect(report[readFailure] == true)
  }

  @Test func anOptionalOutputThatIsNilIsStillAnOutput() async throws {
    let nothing = pond.pebble("nothing") { () async -> Int? in nil }
    let something = pond.pebble("something") { () async -> Int? in 3 }
    let reader = pond.pebble("reader", needs: nothing, something.optional) { nothing, something in
      (nothing == nil, something == .some(.some(3)))
    }

    let report = try await pond.run()

    #expect(report[nothing] == .some(nil))
    #expect(report[something] == .some(3))
    let seen = try #require(report[reader])
    #expect(seen.0 && seen.1)
  }

  @Test func whenIsAndedToWhatTheInputsImply() async throws {
    let number = pond.pebble("number") { 1 }
    let open = pond.pebble("open") {}
    let failing = pond.pebble("failing") { () async throws -> Int in throw Breakdown() }

    let both = pond.pebble("both", needs: number, when: open.succeeded) { $0 }
    let conditionIsFalse = pond.pebble("conditionIsFalse", needs: number, when: open.failed) { $0 }
    let inputIsMissing = pond.pebble("inputIsMissing", needs: failing, when: open.succeeded) { $0 }
    let report = try await pond.run()

    #expect(report[both] == 1)
    #expect(report.outcome(of: conditionIsFalse).isSkipped)
    #expect(report.outcome(of: inputIsMissing).isSkipped)
    #expect(both.ready.description == "open.succeeded")
    #expect(
      report.record(of: both)?.condition.description == "number.succeeded && open.succeeded")
  }

  @Test func replacingReadyKeepsWhatTheInputsImply() async throws {
    let failing = pond.pebble("failing") { () async throws -> Int in throw Breakdown() }
    let open = pond.pebble("open") {}
    let dependent = pond.pebble("dependent", needs: failing) { $0 }

    dependent.ready = open.succeeded
    let report = try await pond.run()

    #expect(report.outcome(of: dependent).isSkipped)
  }

  @Test func theSamePebbleMayBeSeveralInputs() async throws {
    let number = pond.pebble("number") { 21 }
    let sum = pond.pebble("sum", needs: number, number, number.optional) { $0 + $1 + ($2 ?? 0) }

    let report = try await pond.run()

    #expect(report[sum] == 63)
  }

  @Test func outputsFlowDownAChainOfTypes() async throws {
    let text = pond.pebble("text") { "12" }
    let number = pond.pebble("number", needs: text) { text in
      guard let number = Int(text) else { throw Breakdown() }
      return number
    }
    let list = pond.pebble("list", needs: number) { Array(0..<$0) }

    let report = try await pond.run()

    #expect(report[list]?.count == 12)
  }

  @Test func anOutcomeSaysWhyThereIsNoOutput() async throws {
    let failing = pond.pebble("failing") { throw Breakdown("no network") }
    let skipped = pond.pebble("skipped", when: failing.succeeded) { 1 }
    let good = pond.pebble("good") { 2 }
    let told = pond.pebble("told", needs: failing.outcome, skipped.outcome, good.outcome) {
      ["\($0)", "\($1)", "\($2)"]
    }

    let report = try await pond.run()

    let texts = try report.value(of: told)
    #expect(texts[0].contains("no network"))
    #expect(texts[1].contains("failing"))
    #expect(texts[2] == "\(report.outcome(of: good))")
  }
}
