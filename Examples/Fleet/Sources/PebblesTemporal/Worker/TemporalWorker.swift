import Foundation
import GRPCCore
import Pebbles
import PebblesDurable
import TemporalWire

/// Runs ponds as durable workflows: decides for the runs that come to it, and calls their bodies.
///
/// ```swift
/// try await Temporal.connected(to: .local) { temporal in
///   try await TemporalWorker(temporal, ponds: [boot, nightly]).run()
/// }
/// ```
///
/// Any number of workers may work for a task queue, in any number of processes and on any number
/// of machines, and each may be killed at any moment: what it had begun is called again elsewhere.
/// So a body may be called more often than once; `PebbleContext.idempotencyKey` tells a repetition.
public struct TemporalWorker: Sendable {
  private let temporal: Temporal
  private let decisions: DecisionWorker
  private let bodies: BodyWorker

  /// Makes a worker.
  ///
  /// - Parameters:
  ///   - temporal: The namespace that it works in. One connection is enough for six workers.
  ///   - ponds: The ponds whose bodies it calls. Runs of others it leaves to other workers.
  ///   - taskQueue: The queue that it works for.
  ///   - slots: How many bodies it calls at a time, from 1 on.
  ///   - coder: Turns outputs into bytes and back; the same for all workers of the queue.
  ///   - newNames: By pond, what pebbles are called now that had other names when runs were started
  ///     that still go on.
  /// - Throws: `PondError` for a pond that is defined wrongly, ``TemporalError`` for two of one
  ///   name, for one that cannot be run on a server, and for no slots.
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

  /// Works until the calling task is cancelled, even before the server has been reached. Bodies
  /// that run then are cancelled, and called again by other workers.
  ///
  /// - Parameter whenUp: Called once the server has been reached.
  /// - Throws: ``TemporalError`` if there is no such namespace, or the server cannot be asked.
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
        // First, while it still takes what the server has sent it already.
        await decisions.giveUpRuns()
        work.cancel()
      }
    }
  }
}

extension Temporal {
  /// The queue that workers and runs use if none is given.
  public static let usualTaskQueue = "ponds"

  /// Makes sure that the server is there and has the namespace.
  func checkNamespace() async throws {
    var request = TemporalDescribeNamespaceRequest()
    request.namespace = namespace
    let _: TemporalDescribeNamespaceResponse = try await explaining(
      "the namespace \"\(namespace)\" cannot be used"
    ) { [request] in try await call("DescribeNamespace", request) }
  }
}
