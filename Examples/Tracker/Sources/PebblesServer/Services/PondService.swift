import Pebbles
import ServiceLifecycle

/// A pond as a service of a `ServiceGroup`, next to services that are none of its pebbles.
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
/// It boots, goes on until the group shuts it down, and tears down in the reverse order. A graceful
/// shutdown and a cancellation both shut the run down: it is the pond that knows which of its
/// pebbles take how long.
///
/// A process whose life is one pond needs none of this: see `Pond.run(untilSignal:)`.
public struct PondService: Service {
  private let pond: Pond
  private let limit: Duration?
  private let shutdownLimit: Duration?
  private let onStart: @Sendable (Run) -> Void

  /// Makes a service of a pond.
  ///
  /// - Parameters:
  ///   - pond: What to run.
  ///   - limit: How long after its start the boot ends at the latest.
  ///   - shutdownLimit: How long the shutdown takes at the latest. Should be shorter than the
  ///     group's `maximumGracefulShutdownDuration`.
  ///   - onStart: Handed the run as soon as there is one, to observe it.
  public init(
    _ pond: Pond, within limit: Duration? = nil, shutdownWithin shutdownLimit: Duration? = nil,
    onStart: @escaping @Sendable (Run) -> Void = { _ in }
  ) {
    self.pond = pond
    self.limit = limit
    self.shutdownLimit = shutdownLimit
    self.onStart = onStart
  }

  /// Boots the pond, and returns once it has been shut down.
  ///
  /// - Throws: `PondError` if the pond is defined wrongly; ``PondServiceError`` if not all was
  ///   well, by the rule of `Report.exitCode`.
  public func run() async throws {
    let run = try pond.start(within: limit)
    onStart(run)
    let report = try await withTaskCancellationOrGracefulShutdownHandler {
      try await run.reportAfterShutdown()
    } onCancelOrGracefulShutdown: { [shutdownLimit] in
      // Not a child of what it ends. The result is that of `reportAfterShutdown`.
      Task { _ = try? await run.shutdown(within: shutdownLimit) }
    }
    if report.exitCode != 0 { throw PondServiceError(report: report) }
  }
}

/// A pond that was run as a service failed to boot, to go on or to stop.
public struct PondServiceError: Error, CustomStringConvertible {
  /// What happened.
  public let report: Report

  /// The report as text, and that of the shutdown if something could not be torn down.
  public var description: String {
    guard let shutdown = report.shutdown, !shutdown.failures.isEmpty else { return "\(report)" }
    return "\(report)\n\(shutdown)"
  }
}
