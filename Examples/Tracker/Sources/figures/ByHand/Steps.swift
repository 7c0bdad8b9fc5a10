import Dispatch
import GRDB
import Logging
import ServiceLifecycle

/// A row of a table.
typealias StoredRow = PersistableRecord & Sendable

/// The hand-written equivalents of traits and services.
extension BootByHand {
  /// Runs a step with a time limit, and retries it if it fails.
  func step<Value: Sendable>(
    _ name: String, timeout: Duration? = nil, attempts: Int = 1, wait: Duration = .zero,
    only isTransient: @Sendable (any Error) -> Bool = { _ in true },
    body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    var (attempt, wait) = (1, wait)
    while true {
      do {
        let value = try await within(timeout, body)
        logger.info("\(name) succeeded")
        return value
      } catch {
        if attempt == attempts || Task.isCancelled || !isTransient(error) {
          logger.error("\(name) failed: \(error)")
          throw error
        }
        logger.warning("\(name) failed, attempt \(attempt): \(error)")
        try await Task.sleep(for: wait * Double.random(in: 0...1))
        attempt += 1
        wait *= 2
      }
    }
  }

  private func within<Value: Sendable>(
    _ limit: Duration?, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw TimedOut(limit: limit)
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw TimedOut(limit: limit) }
      return value
    }
  }

  /// Runs a body and a service concurrently. When the body ends, the service is shut down
  /// gracefully. If the service fails, the body is cancelled.
  func beside(
    _ service: @escaping @Sendable () async throws -> Void, drain: Duration,
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    var configuration = ServiceGroupConfiguration(
      services: [Running(body: service)], logger: logger)
    configuration.maximumGracefulShutdownDuration = drain
    let services = ServiceGroup(configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      // Not cancelled with the body, which needs the service to its end.
      group.addTask { try await Task { try await services.run() }.value }
      group.addTask {
        let result = await Result.of { try await body() }
        await services.triggerGracefulShutdown()
        try result.get()
      }
      try await group.waitForAll()
    }
  }
}

private struct Running: Service {
  let body: @Sendable () async throws -> Void

  func run() async throws { try await body() }
}

private struct TimedOut: Error, CustomStringConvertible {
  let limit: Duration

  var description: String { "it did not end within \(limit)" }
}

/// Runs blocking work on a thread outside the concurrency pool.
func offThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
  }
}

func untilCancelled() async {
  let (never, continuation) = AsyncStream.makeStream(of: Never.self)
  await withTaskCancellationHandler {
    for await _ in never {}
  } onCancel: {
    continuation.finish()
  }
}

extension Result where Failure == any Error {
  static func of(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
