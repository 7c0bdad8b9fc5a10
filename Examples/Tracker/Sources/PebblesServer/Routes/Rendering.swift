import Hummingbird
import Pebbles

/// What a run looks like, as bytes: rendered once for all who ask, and kept until the run has
/// changed. To render is the most that anybody can ask of these routes, so it is done by one task
/// at a time, whoever asks and however often.
actor Rendering {
  private var kept: (moment: Moment, bytes: ByteBuffer)?

  /// - Parameters:
  ///   - run: The run, looked at when it is the turn of who asks.
  ///   - report: What happened, if the run has ended.
  ///   - render: Called if it is not known yet what the run looks like now.
  /// - Returns: What it looks like.
  /// - Complexity: O(pebbles) if it is known.
  func bytes(
    of run: Run, _ report: Report?, render: @Sendable () -> String
  ) -> ByteBuffer {
    // Before it is rendered: of what changes meanwhile some may be missing in what is kept.
    bytes(at: Moment(run.identifier, run.status, report), render: render)
  }

  /// The same of a run that is over.
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

/// All that may change in a run, but for the time.
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

  /// What may change of a pebble after its run has ended: services go on, and late bodies.
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
