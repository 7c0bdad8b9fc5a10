import Foundation
import Pebbles
import PebblesAnalysis
import Synchronization
import Testing

@testable import PebblesTemporal

/// A test for a run on a real server whose outputs exceed the maximum size of a history.
@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct LargeHistoryTests {
  /// Checks a run with sixty megabytes of outputs, which are also sent as inputs. The server ends a
  /// run at 50 megabytes.
  @Test func itIsCancelledAndUndoneBeforeTheServerEndsIt() async throws {
    let undone = Mutex(0)
    let pond = Pond("large")
    var last = pond.pebble("0") { "" }
    for number in 1...40 {
      last = pond.pebble("\(number)", needs: last, teardown: { _ in undone.withLock { $0 += 1 } }) {
        _ in String(repeating: "x", count: 1_500_000)
      }
    }

    let run = try await withWorkers([pond]) { temporal, options in
      try await pond.run(on: temporal, id: UUID().uuidString, options)
    }

    let succeeded = run.pebbles.dropFirst().count { $0.outcome == .succeeded }
    #expect((5..<20).contains(succeeded))
    #expect(run.pebbles[succeeded + 1].outcome.text?.contains("as the history of the run") == true)
    #expect(run.pebbles.last?.outcome.isSkipped == true)
    #expect(undone.withLock { $0 } == succeeded)
    #expect(try run.exitCode == 1)
  }
}
