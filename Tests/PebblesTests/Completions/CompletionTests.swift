import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

@Suite(.watched) struct CompletionTests {
  private let pond = Pond("completions")

  @Test func errorsThatMayGrowAreCaughtByTheirNames() {
    func caught(_ error: any Error) -> String {
      do {
        throw error
      } catch CompletionError.abandoned {
        return "abandoned"
      } catch ServiceError.endedBeforeReady {
        return "service"
      } catch AroundError.bodyNotCalled {
        return "around"
      } catch {
        return "other"
      }
    }

    #expect(caught(CompletionError.abandoned) == "abandoned")
    #expect(caught(CompletionError.reportedFailure) == "other")
    #expect(caught(ServiceError.endedBeforeReady) == "service")
    #expect(caught(AroundError.bodyNotCalled) == "around")
    #expect(caught(Breakdown()) == "other")
  }

  @Test func callingWithTrueSucceeds() async throws {
    let record = try await record { complete in complete(true) }

    #expect(record.outcome.isSucceeded)
    #expect(record.ignoredCompletions == 0)
  }

  @Test func callingWithFalseFailsSayingSo() async throws {
    let record = try await record { complete in complete(false) }

    #expect(record.outcome.error as? CompletionError == .reportedFailure)
    #expect(
      record.explanation
        == "callback failed: its callback reported failure without saying why")
  }

  @Test func succeedSucceeds() async throws {
    let record = try await record { complete in complete.succeed() }

    #expect(record.outcome.isSucceeded)
  }

  @Test func failKeepsTheError() async throws {
    let record = try await record { complete in complete.fail(Breakdown("no network")) }

    #expect(record.outcome.error as? Breakdown == Breakdown("no network"))
  }

  @Test func theFirstCallDecidesAndLaterOnesAreCounted() async throws {
    let record = try await record { complete in
      complete.fail(Breakdown("first"))
      complete.succeed()
      complete(false)
    }

    #expect(record.outcome.error as? Breakdown == Breakdown("first"))
    #expect(record.ignoredCompletions == 2)
  }

  @Test func callsFromManyThreadsAtOnceDecideOnce() async throws {
    for _ in 0..<20 {
      let record = try await record { complete in
        await withTaskGroup { group in
          for number in 0..<16 {
            group.addTask { number.isMultiple(of: 2) ? complete.succeed() : complete(false) }
          }
        }
      }

      #expect(record.outcome.isCompleted)
      #expect(record.ignoredCompletions == 15)
    }
  }

  @Test func aCallFromElsewhereAfterTheBodyHasReturnedEndsThePebble() async throws {
    let (calls, source) = AsyncStream.makeStream(of: Completion.self)
    let callback = pond.pebble("callback") { complete in source.yield(complete) }
    let after = pond.pebble("after", needs: callback) { (_: Void) in "after" }

    let run = try pond.start()
    for await complete in calls {
      complete.succeed()
      break
    }
    let report = try await run.report

    #expect(report[after] == "after")
  }

  @Test func theBodyIsWaitedForEvenWhenItHasCalledAlready() async throws {
    let called = Gate()
    let gate = Gate()
    let journal = Logbook<String>()
    let callback = pond.pebble("callback") { complete in
      complete(true)
      called.open()
      await gate.passed()
      journal.note("body ended")
    }
    pond.pebble("after", when: callback.succeeded) { journal.note("after") }

    let run = try pond.start()
    await called.passed()
    gate.open()
    _ = try await run.report

    #expect(journal.entries == ["body ended", "after"])
  }

  @Test func callsAfterTheEndOfTheRunAreIgnoredAndCountedLive() async throws {
    let kept = Mutex<Completion?>(nil)
    let record = try await record { complete in
      kept.withLock { $0 = complete }
      complete.succeed()
    }
    #expect(record.ignoredCompletions == 0)

    let complete = try #require(kept.withLock { $0 })
    complete(false)
    complete.fail(Breakdown())

    #expect(record.ignoredCompletions == 2)
    #expect(record.outcome.isSucceeded)
  }

  @Test func aCompletionDroppedByTheBodyIsAbandoned() async throws {
    let record = try await record { _ in }

    #expect(record.outcome.error as? CompletionError == .abandoned)
    #expect(record.explanation == "callback failed: its callback was dropped without being called")
    #expect(record.ignoredCompletions == 0)
  }

  @Test func aCompletionDroppedLaterElsewhereIsAbandoned() async throws {
    let kept = Mutex<Completion?>(nil)
    let started = Gate()
    let callback = pond.pebble("callback") { complete in
      kept.withLock { $0 = complete }
      started.open()
    }

    let run = try pond.start()
    await started.passed()
    kept.withLock { $0 = nil }
    let report = try await run.report

    #expect(report.outcome(of: callback).error as? CompletionError == .abandoned)
  }

  @Test func onlyTheLastCopyCountsAsDropped() async throws {
    let record = try await record { complete in
      let copies = Array(repeating: complete, count: 10)
      _ = copies.dropLast(9).map { $0 }
      copies.last?.succeed()
    }

    #expect(record.outcome.isSucceeded)
    #expect(record.ignoredCompletions == 0)
  }

  @Test func aBodyThatThrowsFailsWithItsError() async throws {
    let record = try await record { _ in throw Breakdown("thrown") }

    #expect(record.outcome.error as? Breakdown == Breakdown("thrown"))
    #expect(record.ignoredCompletions == 0)
  }

  @Test func aBodyThatThrowsAfterCompletingIsIgnoredAndCounted() async throws {
    let record = try await record { complete in
      complete.succeed()
      throw Breakdown("too late")
    }

    #expect(record.outcome.isSucceeded)
    #expect(record.ignoredCompletions == 1)
  }

  @Test func aCompletionKeptByABodyThatThrowsIsIgnoredWhenCalled() async throws {
    let kept = Mutex<Completion?>(nil)
    let record = try await record { complete in
      kept.withLock { $0 = complete }
      throw Breakdown("thrown")
    }
    kept.withLock { $0 }?.succeed()

    #expect(record.outcome.error as? Breakdown == Breakdown("thrown"))
    #expect(record.ignoredCompletions == 1)
  }

  @Test func everyRunHasACompletionOfItsOwn() async throws {
    let kept = Mutex<[Completion]>([])
    let callback = pond.pebble("callback") { complete in
      kept.withLock { $0.append(complete) }
      complete(true)
    }

    let first = try #require(try await pond.run().record(of: callback))
    let second = try #require(try await pond.run().record(of: callback))
    kept.withLock { $0.first }?.succeed()

    #expect(first.ignoredCompletions == 1)
    #expect(second.ignoredCompletions == 0)
  }

  @Test func aPebbleWithoutACallbackHasIgnoredNothing() async throws {
    let plain = pond.pebble("plain") {}

    let report = try await pond.run()

    #expect(report.record(of: plain)?.ignoredCompletions == 0)
  }

  private func record(
    _ body: @escaping @Sendable (Completion) async throws -> Void
  ) async throws -> PebbleRecord {
    let pond = Pond("completion")
    let callback = pond.pebble("callback", body: body)
    return try #require(try await pond.run().record(of: callback))
  }
}
