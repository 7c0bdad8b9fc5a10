/// What happened to one pebble in one run.
///
/// Times are offsets from the start of the run, in whole nanoseconds.
public struct PebbleRecord: Sendable {
  let storage: RunStorage
  let position: Int

  init(_ storage: RunStorage, _ position: Int) {
    self.storage = storage
    self.position = position
  }

  /// The name of the pebble.
  public var name: String { storage.pond.graph.names[position] }

  /// The condition the pebble had in this run, with what its inputs imply.
  public var condition: Condition { storage.pond.graph.condition(of: position) }

  /// How the pebble ended.
  public var outcome: Outcome {
    guard let outcome = storage.outcome(at: position) else {
      preconditionFailure("a run ended before its pebble \(name.swiftLiteral)")
    }
    return outcome
  }

  /// When the condition became true; `nil` for a skipped pebble.
  public var ready: Duration? {
    hasRun ? storage.state.ready(position).asNanoseconds : nil
  }

  /// When the body was called; `nil` for a skipped pebble.
  public var started: Duration? {
    hasRun ? storage.state.started(position).asNanoseconds : nil
  }

  /// When the pebble settled: when its body ended, or when it was skipped.
  public var finished: Duration { storage.state.finished(position).asNanoseconds }

  /// How long the body took; `nil` for a skipped pebble.
  public var duration: Duration? { started.map { finished - $0 } }

  /// The pebble whose settling made the condition true; `nil` if it was true from the start, and
  /// for a skipped pebble.
  public var enabledBy: String? {
    guard hasRun else { return nil }
    return storage.state.cause(of: position).map { storage.pond.graph.names[$0] }
  }

  /// How often the ``Completion`` of a callback pebble was called after the call that decided, up
  /// to the moment this is read.
  public var ignoredCompletions: Int { storage.ignoredCompletions(at: position) }

  private var hasRun: Bool {
    switch storage.state.status(of: position) {
    case .succeeded, .failed: true
    case .waiting, .running, .skippedByCondition, .skippedByStall, .skippedByPredicate,
      .skippedByCancellation:
      false
    }
  }
}
