import Dispatch
import GRDB
import Logging

/// A row that a table has.
typealias PersistableRow = PersistableRecord & Sendable

/// What the traits of a pebble are, by hand.
extension ByHand {
  func step<Value: Sendable>(
    _ name: String, timeout: Duration? = nil, attempts: Int = 1, wait: Duration = .zero,
    body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    var (attempt, wait) = (1, wait)
    while true {
      do {
        let value = try await within(timeout, body)
        logger.debug("\(name) succeeded")
        return value
      } catch {
        logger.warning("\(name) failed, attempt \(attempt): \(error)")
        if attempt == attempts || Task.isCancelled { throw error }
        try await Task.sleep(for: wait * Double.random(in: 0...1))
        attempt += 1
        wait *= 2
      }
    }
  }

  /// Waits for a body that ignores its cancellation, unlike a pond.
  private func within<Value: Sendable>(
    _ limit: Duration?, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw TimedOut()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw TimedOut() }
      return value
    }
  }

  struct TimedOut: Error {}
}

/// So that what blocks takes no thread of the concurrency pool.
func offThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
  }
}

extension Result where Failure == any Error {
  static func of(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
