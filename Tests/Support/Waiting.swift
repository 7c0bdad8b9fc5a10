import Testing

/// Suspends until the task is cancelled, then throws `CancellationError`.
package func untilCancelled() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
  throw CancellationError()
}

/// Waits until a condition holds, by checking it again and again, and fails the test if this takes
/// too long.
///
/// The time between two checks counts as ten milliseconds at most. So by default, the condition is
/// checked at least a thousand times before the test fails. Other tasks can therefore run a
/// thousand times in between, even if the machine is busy or is halted for a while, or a sanitizer
/// slows the tests down tenfold.
///
/// - Parameters:
///   - patience: The longest time to wait, counted as described above.
///   - sourceLocation: The place of the failure that is recorded.
///   - condition: The condition.
/// - Throws: `WaitedInVain`, after recording a failure of the test, if the condition does not
///   become true in time.
package func until(
  within patience: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) async throws {
  var (last, waited, checks) = (ContinuousClock.now, Duration.zero, 0)
  while !condition() {
    guard waited < patience else {
      Issue.record("This did not become true within \(patience).", sourceLocation: sourceLocation)
      throw WaitedInVain(sourceLocation: sourceLocation)
    }
    // What takes longer than other tasks do is not kept from the processor by these checks.
    if checks < 100 || Task.isCancelled {
      await Task.yield()
    } else {
      try? await Task.sleep(for: .milliseconds(1))
    }
    checks += 1
    let now = ContinuousClock.now
    waited += min(last.duration(to: now), .milliseconds(10))
    last = now
  }
}

package struct WaitedInVain: Error {
  package let sourceLocation: SourceLocation
}
