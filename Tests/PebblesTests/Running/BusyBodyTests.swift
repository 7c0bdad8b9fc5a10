import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Bodies that keep a thread of the pool busy until something happens on another one.
///
/// One at a time: the pool has as many threads as there are processors that the process may use,
/// and once all are kept busy, nothing happens any more, in these or in any other tests. And of
/// high priority, so that the other thing has its turn before all that other tests have to do.
@Suite(.serialized, .enabled(if: usableProcessors > 1), .watched)
struct BusyBodyTests {
  private let pond = Pond("busy")

  /// The body is called on the thread of the caller: see `SmallRunTests`.
  @Test func theOthersGoOnWhileABodyHoldsTheThreadOfTheCaller() async throws {
    let isReleased = Gate()
    pond.pebble("holding") { while !isReleased.isOpen {} }
    pond.pebble("releasing") { isReleased.open() }

    let run = Task(priority: .high) { try await pond.run() }

    #expect(try await run.value.isAllSucceeded)
  }

  /// Such a body asks its task, and nothing else.
  @Test func cancellationReachesABodyThatComputesWithoutSuspending() async throws {
    let begun = Gate()
    let body = pond.pebble("body") {
      begun.open()
      while !Task.isCancelled {}
      try Task.checkCancellation()
    }

    let run = Task(priority: .high) { try await pond.run() }
    let cancelling = Task(priority: .high) {
      await begun.passed()
      run.cancel()
    }

    let report = try await run.value
    await cancelling.value
    #expect(report.outcome(of: body).error is CancellationError)
    #expect(report.isCancelled)
  }
}

/// On Linux, a process can be kept to some processors, which `ProcessInfo` does not tell.
private let usableProcessors = {
  let online = ProcessInfo.processInfo.activeProcessorCount
  let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  guard let mask = status?.firstMatch(of: #/Cpus_allowed:\s+([0-9a-f,]+)/#)?.1 else {
    return online
  }
  return min(online, mask.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount })
}()
