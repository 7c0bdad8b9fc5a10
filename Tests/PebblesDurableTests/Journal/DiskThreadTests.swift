import PebblesTestSupport
import Testing

@testable import Pebbles
@testable import PebblesDurable

/// Tests of the thread that waits for the disk.
@Suite(.watched) struct DiskThreadTests {
  private let disk = DiskThread()
  private let notes = Logbook<String>()

  @Test func theLastIsDoneOnceTheThreadHasDoneAllElse() async throws {
    let block = Roadblock(for: 1)
    async let work: Void = disk.run { [notes] in
      block.hold()
      notes.note("work")
    }
    await block.isFull.passed()

    disk.end { [notes] in notes.note("last") }
    #expect(notes.entries == [])
    block.open()
    await work
    try await until { notes.count == 2 }

    #expect(notes.entries == ["work", "last"])
  }

  @Test func workThatComesAfterTheEndIsDoneAllTheSame() async throws {
    await disk.run { [notes] in notes.note("work") }
    disk.end { [notes] in notes.note("last") }
    try await until { notes.count == 2 }

    Task { [disk, notes] in await disk.run { notes.note("more") } }
    try await until { notes.count == 3 }

    #expect(notes.entries == ["work", "last", "more"])
  }

  @Test func withoutAThreadTheLastIsDoneAtOnce() {
    disk.end { [notes] in notes.note("last") }

    #expect(notes.entries == ["last"])
  }

  /// Checks two callers that do their work themselves because no thread can be started. Neither may
  /// wait for more work, because no other caller would wake it.
  @Test func twoThatGetNoThreadDoTheirWorkThemselvesAndReturn() async {
    let disk = DiskThread(startingThread: { _ in false })
    let (isEnding, first, second) = (Gate(), Roadblock(for: 1), Roadblock(for: 1))
    await withTaskExecutorPreference(BlockingThreads(limit: 2)) {
      async let other: Void = {
        await isEnding.passed()
        await disk.run {
          first.open()
          second.hold()
        }
      }()

      await disk.run {
        // Done once there is no more work, so the other one finds nobody at work.
        disk.end {
          isEnding.open()
          first.hold()
        }
      }
      second.open()
      await other
    }
  }

  /// Checks that all callers share one thread, because two threads that wait for the disk would be
  /// no faster.
  @Test func laterWorkBeginsOnceTheEarlierHasEnded() async throws {
    let block = Roadblock(for: 1)
    let isAsked = Gate()
    async let first: Void = disk.run { [notes] in
      block.hold()
      notes.note("first")
    }
    await block.isFull.passed()

    async let second: Void = {
      isAsked.open()
      await disk.run { [notes] in notes.note("second") }
    }()
    await isAsked.passed()
    // A second thread would have ended its work by now.
    for _ in 0..<1_000 { await Task.yield() }
    block.open()
    _ = await (first, second)

    #expect(notes.entries == ["first", "second"])
    disk.end()
  }

  @Test func theWorkOfTheLastIsDoneForAllThatWait() async throws {
    let block = Roadblock(for: 1)
    async let first: Void = disk.run { block.hold() }
    await block.isFull.passed()

    await withTaskGroup { group in
      for number in 0..<3 {
        group.addTask { [disk, notes] in await disk.run { notes.note("\(number)") } }
      }
      block.open()
    }
    await first

    #expect((1...3).contains(notes.count))
    disk.end()
  }
}
