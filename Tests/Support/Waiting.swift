/// Suspends until the task is cancelled, then throws as most waiting calls do.
package func untilCancelled() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
  throw CancellationError()
}

/// Waits for what is not announced.
package func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
