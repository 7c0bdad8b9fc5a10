import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct RunTests {
  @Test func anEmptyPondEndsAtOnce() async throws {
    let report = try await Pond("empty").run()

    #expect(report.records.isEmpty)
    #expect(!report.isCancelled)
    #expect(report.pondName == "empty")
  }

  @Test func runWaitsForEveryPebble() async throws {
    let journal = Logbook<String>()
    let pond = Pond("three")
    let first = pond.pebble("first") { journal.note("first") }
    let second = pond.pebble("second", when: first.succeeded) { journal.note("second") }
    pond.pebble("third", when: second.succeeded) { journal.note("third") }

    let report = try await pond.run()

    #expect(journal.entries == ["first", "second", "third"])
    #expect(report.records.map(\.name) == ["first", "second", "third"])
    #expect(report.isAllSucceeded)
  }

  @Test func aPondDescribesItsDefinition() {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("show the screens", when: load.completed) {}

    #expect(pond.description == "boot\n  load\n  \"show the screens\" when load.completed")
  }

  @Test func aLargePondDescribesItsBeginning() {
    let pond = Pond("large")
    let root = pond.pebble("root") {}
    let long = Condition.all((0..<5_000).map { _ in root.succeeded })
    for number in 0..<1_000 { pond.pebble("p\(number)", when: long) {} }

    #expect(pond.description.hasSuffix("\n  … and 801 more"))
    #expect(pond.description.utf8.count < 1_000_000)
  }

  @Test func startReturnsBeforeTheBodiesHaveEnded() async throws {
    let gate = Gate()
    let pond = Pond("slow")
    let slow = pond.pebble("slow") { await gate.passed() }

    let run = try pond.start()
    gate.open()
    let report = try await run.report

    #expect(report.outcome(of: slow).isSucceeded)
  }

  @Test func aReportMayBeAwaitedByManyAndAgainAfterTheEnd() async throws {
    let gate = Gate()
    let pond = Pond("awaited")
    let answer = pond.pebble("answer") {
      await gate.passed()
      return 42
    }
    let run = try pond.start()

    async let first = run.report
    async let second = run.report
    gate.open()

    #expect(try await first[answer] == 42)
    #expect(try await second[answer] == 42)
    #expect(try await run.report[answer] == 42)
  }

  @Test func theErrorOfABodyIsKept() async throws {
    let pond = Pond("failing")
    let failing = pond.pebble("failing") { () async throws -> Int in throw Breakdown("no disk") }

    let report = try await pond.run()

    let outcome = report.outcome(of: failing)
    #expect(outcome.isFailed && outcome.isCompleted && !outcome.isSucceeded && !outcome.isSkipped)
    #expect(outcome.error as? Breakdown == Breakdown("no disk"))
    #expect(outcome.skipReason == nil)
    #expect(report[failing] == nil)
  }

  @Test func aPondCanBeRunAgain() async throws {
    let journal = Logbook<Int>()
    let pond = Pond("again")
    let counting = pond.pebble("counting") { () async -> Int in
      journal.note(1)
      return journal.count
    }

    let outputs = [try await pond.run()[counting], try await pond.run()[counting]]

    #expect(outputs == [1, 2])
  }

  @Test func fiftyRunsAtOnceDoNotShareState() async throws {
    let everybody = Meeting(of: 50)
    let pond = Pond("fifty")
    let number = pond.pebble("number") { () async -> Int in
      await everybody.attend()
      return RunNumber.current
    }
    let odd = pond.pebble("odd", needs: number) { number in
      if number.isMultiple(of: 2) { throw Breakdown() }
    }
    let double = pond.pebble("double", needs: number, when: odd.failed) { $0 * 2 }

    let reports = try await withThrowingTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          try await RunNumber.$current.withValue(number) { (number, try await pond.run()) }
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    #expect(reports.count == 50)
    for (value, report) in reports {
      #expect(report[number] == value)
      #expect(report.outcome(of: odd).isFailed == value.isMultiple(of: 2))
      #expect(report[double] == (value.isMultiple(of: 2) ? value * 2 : nil))
    }
  }

  @Test func aPondDroppedWhileItRunsStillFinishes() async throws {
    let gate = Gate()
    let journal = Logbook<String>()
    func start() throws -> Run {
      let pond = Pond("dropped")
      let first = pond.pebble("first") { await gate.passed() }
      pond.pebble("second", when: first.succeeded) { journal.note("second") }
      return try pond.start()
    }

    let run = try start()
    gate.open()
    let report = try await run.report

    #expect(journal.entries == ["second"])
    #expect(report.records.map(\.name) == ["first", "second"])
  }

  @Test func aRunNobodyHoldsGoesOn() async throws {
    let gate = Gate()
    let done = Gate()
    let pond = Pond("unheld")
    let first = pond.pebble("first") { await gate.passed() }
    pond.pebble("second", when: first.succeeded) { done.open() }

    _ = try pond.start()
    gate.open()
    await done.passed()

    #expect(done.isOpen)
  }

  @Test func aRunSeesTheDefinitionAsItWasAtItsStart() async throws {
    let gate = Gate()
    let pond = Pond("snapshot")
    let first = pond.pebble("first") { await gate.passed() }
    let second = pond.pebble("second", when: first.failed) {}
    let run = try pond.start()

    second.ready = first.succeeded
    let third = pond.pebble("third") {}
    gate.open()
    let before = try await run.report
    let after = try await pond.run()

    #expect(before.outcome(of: second).isSkipped)
    #expect(before.outcome(of: third).skipReason == .notInRun)
    #expect(after.outcome(of: second).isSucceeded)
    #expect(after.outcome(of: third).isSucceeded)
  }
}

private enum RunNumber {
  @TaskLocal static var current = -1
}
