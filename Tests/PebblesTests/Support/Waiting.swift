/// Suspends until the task is cancelled, then throws as most waiting calls do.
func untilCancelled() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
  throw CancellationError()
}

/// Waits for what nobody announces.
func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
