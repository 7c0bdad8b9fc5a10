import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of bodies that keep a thread of the pool busy until something happens on another thread.
///
/// The tests are serialized, because the pool has only as many threads as there are processors that
/// the process may use. If all threads were busy, no test could continue. The tests have a high
/// priority, so that the other thread reaches their work before that of other tests.
@Suite(.serialized, .enabled(if: usableProcessors > 1), .watched)
struct BusyBodyTests {
  private let pond = Pond("busy")

  /// Checks that other bodies proceed while a body occupies the thread of the caller. The tests in
  /// `SmallRunTests` show that the first body is called on that thread.
  @Test func theOthersGoOnWhileABodyHoldsTheThreadOfTheCaller() async throws {
    let isReleased = Gate()
    pond.pebble("holding") { while !isReleased.isOpen {} }
    pond.pebble("releasing") { isReleased.open() }

    let run = Task(priority: .high) { try await pond.run() }

    #expect(try await run.value.isAllSucceeded)
  }

  /// Checks that a body that only checks its task for cancellation notices a cancellation.
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

/// The number of processors that this process can use. On Linux, it can be lower than the number
/// that `ProcessInfo` reports.
private let usableProcessors = {
  let online = ProcessInfo.processInfo.activeProcessorCount
  let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  guard let mask = status?.firstMatch(of: #/Cpus_allowed:\s+([0-9a-f,]+)/#)?.1 else {
    return online
  }
  return min(online, mask.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount })
}()
