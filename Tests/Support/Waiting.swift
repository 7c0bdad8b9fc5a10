import Testing

/// Suspends until the task is cancelled, then throws as most waiting calls do.
package func untilCancelled() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
  throw CancellationError()
}

/// Waits for what is not announced, but not for ever.
///
/// A turn counts as the time it took, and as ten milliseconds at most. So the default asks for ten
/// seconds and for a thousand turns: where a machine is busy, a sanitizer slows it down tenfold or
/// it is halted for a while, everybody else has still had a thousand turns.
///
/// - Parameters:
///   - patience: How long.
///   - sourceLocation: Where it is waited.
///   - condition: What is waited for.
/// - Throws: `WaitedInVain`, after the test has failed, if the condition does not come to hold.
package func until(
  within patience: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) async throws {
  var (last, waited) = (ContinuousClock.now, Duration.zero)
  while !condition() {
    guard waited < patience else {
      Issue.record("This did not become true within \(patience).", sourceLocation: sourceLocation)
      throw WaitedInVain(sourceLocation: sourceLocation)
    }
    await Task.yield()
    let now = ContinuousClock.now
    waited += min(last.duration(to: now), .milliseconds(10))
    last = now
  }
}

package struct WaitedInVain: Error {
  package let sourceLocation: SourceLocation
}
