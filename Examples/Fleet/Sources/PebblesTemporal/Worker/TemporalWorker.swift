import Foundation
import GRPCCore
import Pebbles
import PebblesDurable
import TemporalWire

/// A worker that runs ponds as durable workflows: it makes the decisions for runs, and calls their
/// bodies.
///
/// ```swift
/// try await Temporal.connected(to: .local) { temporal in
///   try await TemporalWorker(temporal, ponds: [boot, nightly]).run()
/// }
/// ```
///
/// Any number of workers can serve a task queue, in any number of processes and on any number of
/// machines. A worker can be killed at any moment; other workers then repeat the calls that it had
/// begun. A body may therefore be called more than once. Use `PebbleContext.idempotencyKey` to
/// identify repeated calls.
public struct TemporalWorker: Sendable {
  private let temporal: Temporal
  private let decisions: DecisionWorker
  private let bodies: BodyWorker

  /// Creates a worker.
  ///
  /// - Parameters:
  ///   - temporal: The namespace to work in. One connection is enough for six workers.
  ///   - ponds: The ponds whose bodies this worker calls. Runs of other ponds are left to other
  ///     workers.
  ///   - taskQueue: The task queue to serve.
  ///   - slots: The maximum number of concurrent calls; at least 1.
  ///   - coder: The coder of outputs. All workers of the task queue must use the same coder.
  ///   - newNames: The current names of renamed pebbles, keyed first by the name of the pond and
  ///     then by the old name of the pebble. They are needed while runs that use the old names are
  ///     under way.
  /// - Throws: `PondError` if a pond has errors in its definition; ``TemporalError`` if two ponds
  ///   have the same name, if a pond cannot run on a server, or if `slots` is less than 1.
  public init(
    _ temporal: Temporal, ponds: [Pond], taskQueue: String = Temporal.usualTaskQueue,
    slots: Int = 100, coder: some OutputCoder = JSONOutputs(),
    newNames: [String: [String: String]] = [:]
  ) throws {
    guard slots > 0 else {
      throw TemporalError("a worker with \(slots) slots could call nothing; give it one or more")
    }
    var hosted: [String: HostedPond] = [:]
    for pond in ponds {
      guard hosted[pond.name] == nil else {
        throw TemporalError("two ponds are called \"\(pond.name)\"; runs could not tell them apart")
      }
      hosted[pond.name] = try HostedPond(pond, newNames: newNames[pond.name] ?? [:])
    }
    self.temporal = temporal
    let slots = Slots(slots)
    bodies = BodyWorker(
      temporal: temporal, taskQueue: taskQueue, ponds: hosted, slots: slots, coder: coder)
    decisions = DecisionWorker(
      temporal: temporal, taskQueue: taskQueue,
      stickyQueue: "\(temporal.identity)-\(UUID().uuidString)", cache: RunCache(capacity: 500),
      slots: slots, ponds: hosted, bodies: bodies)
  }

  /// Runs the worker until the calling task is cancelled. Cancellation also takes effect while the
  /// worker is still trying to reach the server. Running bodies are cancelled, and called again by
  /// other workers.
  ///
  /// - Parameter whenUp: A closure that is called once the server has been reached.
  /// - Throws: ``TemporalError`` if the namespace does not exist, or if the server cannot be asked
  ///   about it.
  public func run(whenUp: @Sendable () -> Void = {}) async throws {
    do {
      try await temporal.checkNamespace()
    } catch is CancellationError {
      return
    }
    whenUp()
    let work = Task {
      await withDiscardingTaskGroup { group in
        group.addTask { await decisions.run() }
        group.addTask { await bodies.run() }
      }
    }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      Task {
        // Called first, while the worker still handles the tasks that the server has already sent.
        await decisions.giveUpRuns()
        work.cancel()
      }
    }
  }
}

extension Temporal {
  /// The task queue that workers and runs use by default.
  public static let usualTaskQueue = "ponds"

  /// Checks that the server answers and has the namespace.
  func checkNamespace() async throws {
    var request = TemporalDescribeNamespaceRequest()
    request.namespace = namespace
    let _: TemporalDescribeNamespaceResponse = try await explaining(
      "the namespace \"\(namespace)\" cannot be used"
    ) { [request] in try await call("DescribeNamespace", request) }
  }
}
