import Pebbles
import Synchronization

/// A journal that accepts every entry, except that it has no room left for the end of the run.
final class FullJournal: RunJournal {
  private let broken = Mutex<(@Sendable (String) -> Void)?>(nil)

  func whenBroken(_ handler: @escaping @Sendable (_ problem: String) -> Void) {
    broken.withLock { $0 = handler }
  }

  private func breaks() {
    broken.withLock { $0.take() }?("is full")
  }

  func runCancelled(_ reason: RunCancellation, at time: UInt64) { breaks() }
  func shutdownBegan(_ reason: RunCancellation, at time: UInt64) { breaks() }
  func keeps(_ pebble: Int) -> Bool { true }

  func runBegan(_ beginning: RunBeginning) async {}
  func bodyCalled(_ pebble: Int, attempt: Int, at time: UInt64) {}
  func attemptFailed(_ pebble: Int, _ attempt: PebbleAttempt, next: UInt64) {}
  func bodyEnded(_ end: RunProgress.End) async {}
  func outputRestored(_ output: AnyOutput?, of pebble: Int, at time: UInt64) async {}
  func serviceEnded(_ pebble: Int, at time: UInt64) {}
  func policyDecided(_ pebble: Int, _ decision: FailureDecision) {}
  func pebbleSkipped(_ pebble: Int, heldBy holder: Int, at time: UInt64) {}
  func processWillExit() {}
  func tornDown(_ pebble: Int, _ error: (any Error)?, at time: UInt64) async {}
  func lateTeardownFailed(_ pebble: Int, _ error: any Error, at time: UInt64) {}
  func runEnded(at time: UInt64) {}
}
