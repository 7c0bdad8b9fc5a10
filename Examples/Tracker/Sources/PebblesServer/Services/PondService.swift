import Pebbles
import ServiceLifecycle

/// A service that runs a pond in a `ServiceGroup`, next to services that are not its pebbles.
///
/// ```swift
/// let boot = PondService(pond, shutdownWithin: .seconds(20)) { run in
///   Task { await run.log(to: logger) }
/// }
/// try await ServiceGroup(
///   services: [telemetry, boot], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
/// ).run()
/// ```
///
/// The service boots the pond, runs until the group shuts it down or the run shuts itself down, and
/// tears the pond down in reverse order. Cancellation has the same effect as a graceful shutdown:
/// both shut the run down within the time limits of its pebbles.
///
/// A process that consists of a single pond does not need this type; see `Pond.run(untilSignal:)`.
public struct PondService: Service {
  private let pond: Pond
  private let limit: Duration?
  private let shutdownLimit: Duration?
  private let onStart: @Sendable (Run) -> Void

  /// Creates a service for a pond.
  ///
  /// - Parameters:
  ///   - pond: The pond to run.
  ///   - limit: The time limit of the boot, from its start; `nil` for none.
  ///   - shutdownLimit: The time limit of the shutdown; `nil` for none. It must be longer than
  ///     zero, and should be shorter than the group's `maximumGracefulShutdownDuration`.
  ///   - onStart: A closure to call with the run once it has started, for example to observe it.
  public init(
    _ pond: Pond, within limit: Duration? = nil, shutdownWithin shutdownLimit: Duration? = nil,
    onStart: @escaping @Sendable (Run) -> Void = { _ in }
  ) {
    self.pond = pond
    self.limit = limit
    self.shutdownLimit = shutdownLimit
    self.onStart = onStart
  }

  /// Boots the pond, and returns after it has been shut down.
  ///
  /// - Throws: ``InvalidShutdownLimit`` if the time limit of the shutdown is not longer than zero;
  ///   `PondError` if the definition of the pond has errors. In both cases, nothing was started.
  ///   ``PondServiceError`` if `Report.exitCode` is not 0.
  public func run() async throws {
    if let shutdownLimit, shutdownLimit <= .zero { throw InvalidShutdownLimit(shutdownLimit) }
    let run = try pond.start(within: limit)
    onStart(run)
    let report = try await withTaskCancellationOrGracefulShutdownHandler {
      try await run.reportAfterShutdown()
    } onCancelOrGracefulShutdown: { [shutdownLimit] in
      // In a separate task, because it ends the current one. The result is used by
      // `reportAfterShutdown`.
      Task { _ = try? await run.shutdown(within: shutdownLimit) }
    }
    if report.exitCode != 0 { throw PondServiceError(report: report) }
  }
}

/// An error thrown when a pond that is run as a service fails to boot, to keep running, or to stop.
public struct PondServiceError: Error, CustomStringConvertible {
  /// The report of the run.
  public let report: Report

  /// The description of the report, followed by that of the shutdown report if something could not
  /// be torn down.
  public var description: String {
    guard let shutdown = report.shutdown, !shutdown.failures.isEmpty else { return "\(report)" }
    return "\(report)\n\(shutdown)"
  }
}

/// An error thrown when the shutdown time limit of a ``PondService`` is zero or less.
public struct InvalidShutdownLimit: Error, CustomStringConvertible {
  /// The time limit.
  public let limit: Duration

  init(_ limit: Duration) {
    self.limit = limit
  }

  /// A sentence about the limit.
  public var description: String {
    "a shutdown limit of \(limit) cannot be kept; it must be longer than zero"
  }
}
