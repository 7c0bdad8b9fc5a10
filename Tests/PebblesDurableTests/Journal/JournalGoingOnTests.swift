import Foundation
import Pebbles
import PebblesTestSupport
import Synchronization
import Testing

@testable import PebblesDurable

/// Tests that a continued run finds the same services and outputs as a run that was not
/// interrupted.
@Suite(.watched) struct JournalGoingOnTests {
  @Test func whatOnlyMentionsAServiceFindsItUp() async throws {
    let first = Mentioned(hangs: true)
    let file = try JournalFile()
    let run = try await first.pond.start(journal: Journal(at: file.path))
    try await until { first.notes.entries.contains("migrate") }
    let left = try await run.dies(with: file)
    let again = Mentioned()

    let report = try await again.pond.run(journal: Journal(at: left.path))

    #expect(report.isAllSucceeded)
    #expect(again.notes.entries == ["database", "api", "migrate"])
  }

  @Test func thePolicyIsNotAskedAgain() async throws {
    let asked = Logbook<String>()
    func pond(hangs: Bool, _ notes: Logbook<String>) -> Pond {
      let pond = Pond(
        "policy",
        onFailure: .custom { failure in
          asked.note(failure.pebble)
          return failure.error is Breakdown ? .goOn : .cancelAll
        })
      let fails = pond.pebble("fails") { throw Breakdown() }
      pond.pebble("reads", when: fails.failed) {
        notes.note("reads")
        if hangs { try await untilCancelled() }
      }
      pond.pebble("beside") {}
      return pond
    }
    let (file, notes) = (try JournalFile(), Logbook<String>())
    let run = try await pond(hangs: true, notes).start(journal: Journal(at: file.path))
    try await until { notes.count == 1 }
    try await until { asked.count == 1 }
    let left = try await run.dies(with: file)

    let report = try await pond(hangs: false, notes).run(journal: Journal(at: left.path))

    #expect(report.cancellation == nil)
    #expect(report.outcomeWords == ["fails failed", "reads succeeded", "beside succeeded"])
    #expect(asked.entries.filter { $0 == "fails" }.count == 1)
  }

  @Test func aServiceThatHadEndedAsItMayStaysEnded() async throws {
    let (file, notes) = (try JournalFile(), Logbook<String>())
    func pond(hangs: Bool) -> Pond {
      let pond = Pond("imports")
      let imported: Pebble<Void> = pond.service("import", .ending(.mayEnd)) { ready in
        notes.note("import")
        ready()
      }
      pond.pebble("reads", when: imported.succeeded) {
        if hangs { try await untilCancelled() }
      }
      return pond
    }
    let run = try await pond(hangs: true).start(journal: Journal(at: file.path))
    try await until { (try? file.text.words.contains("left import")) == true }
    let left = try await run.dies(with: file)

    let report = try await pond(hangs: false).run(journal: Journal(at: left.path))

    #expect(report.isAllSucceeded)
    #expect(notes.entries == ["import"])
  }

  /// Checks that a service that had ended is started again if its output is read once more, either
  /// by a service that is started again, or by a body that is called again for its output.
  @Test(arguments: [false, true])
  func aServiceThatHadEndedIsStartedAnewForWhatIsCalledAgain(byService: Bool) async throws {
    let (file, notes) = (try JournalFile(), Logbook<String>())
    func pond(hangs: Bool) -> Pond {
      let pond = Pond("ended")
      let key: Pebble<Int> = pond.service("key", .ending(.mayEnd)) { ready in
        notes.note("key")
        ready(3)
      }
      let work: @Sendable () async throws -> Void = {
        if hangs { try await untilCancelled() }
      }
      if byService {
        let server: Pebble<Int> = pond.service("server", needs: key) { ready, key in
          notes.note("reads \(key)")
          ready(key)
          await ready.stopRequested()
        }
        pond.pebble("work", when: server.succeeded) { try await work() }
      } else {
        let handle = pond.pebble("handle", needs: key) { key in
          notes.note("reads \(key)")
          return NightlyPond.Handle()
        }
        pond.pebble("work", needs: handle) { _ in try await work() }
      }
      return pond
    }
    let run = try await pond(hangs: true).start(journal: Journal(at: file.path))
    try await until {
      let words = (try? file.text.words) ?? []
      return words.contains("left key") && words.contains("called work 1")
    }
    let left = try await run.dies(with: file)

    let report = try await pond(hangs: false).run(journal: Journal(at: left.path))

    #expect(report.isAllSucceeded)
    #expect(report.exitCode == 0)
    #expect(notes.entries == ["key", "reads 3", "key", "reads 3"])
  }

  @Test func whatIsKeptStaysUpWhereTheProcessIsStoppedAndIsTornDownAtTheEnd() async throws {
    let (file, notes) = (try JournalFile(), Logbook<String>())
    func pond(hangs: Bool) -> Pond {
      let pond = Pond("opens")
      let opens = pond.pebble("opens", teardown: { (_: Int) in notes.note("close") }) {
        notes.note("open")
        return 3
      }
      pond.pebble("reads", needs: opens) { _ in
        notes.note("read")
        if hangs { try await untilCancelled() }
      }
      return pond
    }
    let stopped = Task { try await pond(hangs: true).run(journal: Journal(at: file.path)) }
    try await until { notes.count == 2 }
    stopped.cancel()
    _ = try await stopped.value
    #expect(notes.entries == ["open", "read"])

    let report = try await pond(hangs: false).run(journal: Journal(at: file.path))

    #expect(report.isAllSucceeded)
    #expect(notes.entries == ["open", "read", "read", "close"])
  }

  @Test func aRunEndsThatIsCancelledWhileServicesComeUpOneAfterTheOther() async throws {
    let (file, notes) = (try JournalFile(), Logbook<String>())
    func pond(hangs: Bool) -> Pond {
      let pond = Pond("limited", maxConcurrent: 1)
      for name in ["first", "second"] {
        let _: Pebble<Void> = pond.service(name) { ready in
          notes.note(name)
          if hangs { try await untilCancelled() }
          ready()
          await ready.stopRequested()
        }
      }
      return pond
    }
    let run = try await pond(hangs: false).start(journal: Journal(at: file.path))
    _ = try await run.report
    let left = try await run.dies(with: file)
    let again = try await pond(hangs: true).start(journal: Journal(at: left.path))
    try await until { notes.count == 3 }

    again.cancel()
    let report = try await again.report

    #expect(report.isCancelled)
    #expect(notes.count == 3)
  }

  @Test func pebblesAreToldToBeReadyOnce() async throws {
    let file = try JournalFile()
    func pond(hangs: Bool) -> Pond {
      let pond = Pond("chain")
      var condition = Condition.always
      for number in 0..<6 {
        condition =
          pond.pebble("\(number)", when: condition) {
            if hangs, number == 5 { try await untilCancelled() }
          }.succeeded
      }
      return pond
    }
    let run = try await pond(hangs: true).start(journal: Journal(at: file.path))
    try await until { (try? file.text.words.contains("called 5 1")) == true }
    let left = try await run.dies(with: file)

    let again = try await pond(hangs: false).start(
      journal: Journal(at: left.path), eventHistory: 100)
    _ = try await again.report
    var ready: [String] = []
    for await event in again.events(bufferingNewest: 100) {
      if case .ready(let name) = event.happening { ready.append(name) }
    }

    #expect(ready.sorted() == (0..<6).map { "\($0)" })
  }

  @Test func observersAreToldHowPebblesEndedInTheEarlierProcess() async throws {
    let file = try JournalFile()
    func pond(hangs: Bool) -> Pond {
      let pond = Pond("screens")
      let load = pond.pebble("load") { throw Breakdown() }
      let offline = pond.pebble("offline", when: load.failed) {}
      pond.pebble("last", when: offline.succeeded) { if hangs { try await untilCancelled() } }
      return pond
    }
    let run = try await pond(hangs: true).start(journal: Journal(at: file.path))
    try await until { (try? file.text.words.contains("called last 1")) == true }
    let left = try await run.dies(with: file)

    let again = try await pond(hangs: false).start(
      journal: Journal(at: left.path), eventHistory: 100)
    _ = try await again.report
    var failed: [String: Bool] = [:]
    for await event in again.events(bufferingNewest: 100) where event.kind == .settled {
      failed[event.pebble ?? ""] = event.error != nil
    }

    #expect(failed == ["load": true, "offline": false, "last": false])
  }

  @Test(arguments: ["\n", "\0\0", "junk"])
  func aRunThatIsOverIsSetAsideWhateverStandsBehindIt(_ more: String) async throws {
    let file = try JournalFile(try await SmallPond.journal(whole: true) + more.utf8)
    let small = SmallPond()

    _ = try await small.pond.run(journal: Journal(at: file.path))

    #expect(small.calls.entries == ["opens", "sum"])
  }

  @Test func aHardLinkInThePlaceOfTheOlderOneIsNoTrouble() async throws {
    let file = try JournalFile(try await SmallPond.journal(whole: true))
    link(file.path, file.path + ".1")
    let small = SmallPond()

    _ = try await small.pond.run(journal: Journal(at: file.path))

    #expect(small.calls.entries == ["opens", "sum"])
  }

  /// A pond with services and a pebble that need other services, but only mention them in their
  /// conditions.
  private struct Mentioned: Sendable {
    let pond = Pond("mentioned")
    let notes = Logbook<String>()

    init(hangs: Bool = false) {
      let notes = notes
      let database: Pebble<Void> = pond.service("database") { ready in
        notes.note("database")
        ready()
        await ready.stopRequested()
      }
      let api: Pebble<Void> = pond.service("api", when: database.succeeded) { ready in
        guard notes.entries.contains("database") else { throw Breakdown() }
        // Whatever does not wait for this service has the time to start.
        for _ in 0..<100 { await Task.yield() }
        notes.note("api")
        ready()
        await ready.stopRequested()
      }
      pond.pebble("migrate", when: database.succeeded && api.succeeded) {
        guard notes.entries.contains("api") else { throw Breakdown() }
        notes.note("migrate")
        if hangs { try await untilCancelled() }
      }
    }
  }
}
