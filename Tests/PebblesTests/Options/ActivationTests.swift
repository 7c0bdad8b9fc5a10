import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ActivationTests {
  private let pond = Pond("flags")

  @Test func aDisabledPebbleIsSkippedAndSaysWhy() async throws {
    let beta = pond.pebble("beta", .enabled { false }) { Issue.record("it is disabled") }
    let stable = pond.pebble("stable", .enabled { true }) {}

    let report = try await pond.run(clock: ManualClock())

    #expect(report.outcome(of: beta).skipReason == .disabled)
    #expect(report.record(of: beta)?.finished == .zero)
    #expect(
      report.record(of: beta)?.explanation == "beta was skipped: it was disabled for this run")
    #expect(report.outcome(of: stable).isSucceeded)
  }

  @Test func pebblesAreAskedOncePerRunInDefinitionOrderBeforeAnyBody() async throws {
    let journal = Logbook<String>()
    func ask(_ name: String) -> @Sendable () -> Bool {
      {
        journal.note("\(name)?")
        return name != "second"
      }
    }
    let first = pond.pebble("first", .enabled(ask("first"))) { journal.note("first") }
    let second = pond.pebble("second", .enabled(ask("second")), when: first.settled) {}
    pond.pebble("third", .enabled(ask("third")), when: second.skipped && first.settled) {
      journal.note("third")
    }
    pond.service("fourth", .enabled(ask("fourth")), when: .never) { _ in }

    let once = ["first?", "second?", "third?", "fourth?", "first", "third"]
    _ = try await pond.run()
    #expect(journal.entries == once)

    _ = try await pond.run()
    #expect(journal.entries == once + once)
  }

  @Test func eachRunAsksForItself() async throws {
    let gate = Gate()
    let beta = pond.pebble("beta", .enabled { gate.isOpen }) {}

    let before = try await pond.run()
    gate.open()
    let after = try await pond.run()

    #expect(before.outcome(of: beta).skipReason == .disabled)
    #expect(after.outcome(of: beta).isSucceeded)
  }

  @Test func aPondThatCannotRunAsksNobody() async throws {
    let asked = Logbook<String>()
    pond.pebble(
      "",
      .enabled {
        asked.note("asked")
        return true
      }
    ) {}

    await #expect(throws: PondError.self) { try await pond.run() }
    #expect(asked.entries.isEmpty)
  }

  @Test(arguments: [
    (\Pebble<Int>.skipped, true), (\.settled, true), (\.succeeded, false), (\.failed, false),
    (\.completed, false),
  ])
  func othersMayDependOnIt(
    atom: KeyPath<Pebble<Int>, Condition> & Sendable, runs: Bool
  )
    async throws
  {
    let beta = pond.pebble("beta", .enabled { false }) { 1 }
    let other = pond.pebble("other", when: beta[keyPath: atom]) {}

    let report = try await pond.run()

    let reason: SkipReason? = runs ? nil : .conditionFalse(decidedBy: "beta")
    #expect(report.outcome(of: other).skipReason == reason)
    #expect(report.outcome(of: other).isSucceeded == runs)
  }

  @Test func inputsSeeThatItDidNotRun() async throws {
    let beta = pond.pebble("beta", .enabled { false }) { 1 }
    let optional = pond.pebble("optional", needs: beta.optional) { $0 ?? -1 }
    let result = pond.pebble("result", needs: beta.result) { _ in }
    let plain = pond.pebble("plain", needs: beta) { _ in }

    let report = try await pond.run()

    #expect(report[optional] == -1)
    #expect(report.outcome(of: result).isSkipped)
    #expect(report.outcome(of: plain).isSkipped)
  }

  @Test func itIsSkippedAtOnceWhateverItsCondition() async throws {
    let skipped = Gate()
    let slow = pond.pebble("slow") { await skipped.passed() }
    let late = pond.pebble("late", .enabled { false }, when: slow.succeeded) {}
    let never = pond.pebble("never", .enabled { false }, when: .never) {}
    let hopeful = pond.pebble("hopeful", .enabled { false }, when: slow.settled) {}
    // Would wait for ever for `slow` if the skip of `late` did not come first.
    pond.pebble("opener", when: late.skipped) { skipped.open() }

    let report = try await pond.run()

    for pebble in [late, never, hopeful] {
      #expect(report.outcome(of: pebble).skipReason == .disabled)
    }
  }

  @Test func twoThatWaitForEachOthersSkipAreBothDisabled() async throws {
    let one = pond.pebble("one", .enabled { false }) { Issue.record("it is disabled") }
    let other = pond.pebble("other", .enabled { false }, when: one.skipped) {
      Issue.record("it is disabled")
    }
    one.ready = other.skipped
    let both = pond.pebble("both", when: one.skipped && other.skipped) {}

    let report = try await pond.run()

    #expect(report.outcome(of: one).skipReason == .disabled)
    #expect(report.outcome(of: other).skipReason == .disabled)
    #expect(report.outcome(of: both).isSucceeded)
  }

  @Test func onePebbleMayOpenACycle() async throws {
    let one = pond.pebble("one") {}
    let other = pond.pebble("other", .enabled { false }, when: one.settled) {}
    one.ready = other.settled

    let report = try await pond.run()

    #expect(report.outcome(of: one).isSucceeded)
    #expect(report.outcome(of: other).skipReason == .disabled)
  }

  @Test func aCycleBesideItStillStalls() async throws {
    let off = pond.pebble("off", .enabled { false }) {}
    let one = pond.pebble("one") {}
    let other = pond.pebble("other", when: one.succeeded && off.skipped) {}
    one.ready = other.succeeded || off.succeeded
    let after = pond.pebble("after", when: one.skipped && off.settled) {}

    let report = try await pond.run()

    #expect(report.outcome(of: one).skipReason == .stalled(waitingOn: ["other"]))
    #expect(report.outcome(of: other).skipReason == .stalled(waitingOn: ["one"]))
    #expect(report.outcome(of: after).isSucceeded)
  }

  @Test(arguments: [nil, 1, 3] as [Int?])
  func whatIsReadyFromTheStartRunsWithoutIt(maxConcurrent: Int?) async throws {
    let pond = Pond("half", maxConcurrent: maxConcurrent)
    for number in 0..<40 {
      pond.pebble("\(number)", .enabled { number.isMultiple(of: 2) }, .exclusive("\(number % 5)")) {
      }
    }

    let report = try await pond.run()

    for (number, record) in report.records.enumerated() {
      #expect(record.outcome.isSucceeded == number.isMultiple(of: 2))
    }
  }

  @Test func allMayBeDisabled() async throws {
    let one = pond.pebble("one", .enabled { false }) {}
    pond.pebble("two", .enabled { false }, when: one.succeeded) {}

    let report = try await pond.run()

    #expect(report.records.allSatisfy { $0.outcome.skipReason == .disabled })
    #expect(!report.isCancelled)
  }
}
