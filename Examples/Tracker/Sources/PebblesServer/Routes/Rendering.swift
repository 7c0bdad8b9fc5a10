import Hummingbird
import Pebbles

/// A cache that renders a run once for all clients, and keeps the bytes until the run changes.
///
/// Rendering is the most expensive part of these routes, so only one task renders at a time,
/// regardless of the number of clients.
actor Rendering {
  private var kept: (moment: Moment, bytes: ByteBuffer)?

  /// Returns the rendering of a run.
  ///
  /// - Parameters:
  ///   - run: The run. Its status is read when the actor begins to handle the call.
  ///   - report: The report; `nil` if the run has not ended.
  ///   - render: A closure that renders the run; called only if the kept rendering is out of date.
  /// - Returns: The rendering.
  /// - Complexity: O(pebbles) if the rendering is current.
  func bytes(
    of run: Run, _ report: Report?, render: @Sendable () -> String
  ) -> ByteBuffer {
    // The state is read before rendering: a later change may be missing in the rendering.
    bytes(at: Moment(run.identifier, run.status, report), render: render)
  }

  /// Returns the rendering of a run that has ended.
  func bytes(of report: Report, render: @Sendable () -> String) -> ByteBuffer {
    bytes(at: Moment(report.identifier, nil, report), render: render)
  }

  private func bytes(at moment: Moment, render: () -> String) -> ByteBuffer {
    if let kept, kept.moment == moment { return kept.bytes }
    let bytes = ByteBuffer(string: render())
    kept = (moment, bytes)
    return bytes
  }
}

/// The state of a run at one moment, with everything that may change except the elapsed time.
private struct Moment: Equatable {
  private let run: RunIdentifier
  private let phase: RunStatus.Phase?
  private let pebbles: [RunStatus.Pebble]?
  private let afterwards: [Afterwards]?

  init(_ run: RunIdentifier, _ status: RunStatus?, _ report: Report?) {
    self.run = run
    phase = status?.phase
    pebbles = status?.pebbles
    afterwards = report?.records.map { Afterwards($0) }
  }

  /// The parts of a record that may change after the end of the run, because services and late
  /// bodies keep running.
  private struct Afterwards: Equatable {
    private let end: Duration?
    private let isDown: Bool
    private let restarts: Int
    private let isStillRunning: Bool
    private let lateErrors: Int
    private let ignoredCompletions: Int

    init(_ record: PebbleRecord) {
      end = record.serviceEnd?.time
      isDown = record.isServiceDown || !record.servicesDownInside.isEmpty
      restarts = record.restartCount
      isStillRunning = record.isStillRunning
      lateErrors = record.lateTeardownErrors.count
      ignoredCompletions = record.ignoredCompletions
    }
  }
}
