/// The results of one run: every outcome, value, time and cause.
///
/// ```swift
/// let report = try await pond.run()
/// print(report)               // a summary for people
/// report[launches]            // [Launch]?
/// report.outcome(of: refresh) // .succeeded, .failed(error) or .skipped(reason)
/// try report.value(of: launches)  // [Launch], or the reason why there is none
/// try report.check()          // throws if a failure went unhandled, or a goal was missed
/// ```
///
/// A pebble that is not in the run has no record and no value, and counts as skipped with
/// ``SkipReason/notInRun``: see ``PebbleIdentifying``.
public struct Report: Sendable {
  package let storage: RunStorage
  private let end: RunEnd

  init(_ storage: RunStorage, _ identifier: RunIdentifier, _ end: RunEnd) {
    self.storage = storage
    self.identifier = identifier
    self.end = end
  }

  /// Creates the report of a run from results that were recorded outside of this module, for
  /// example in a journal.
  ///
  /// - Parameters:
  ///   - storage: The results of the run.
  ///   - identifier: The identifier of the run.
  ///   - time: The time at which the run ended, in nanoseconds since its start.
  ///   - cancellation: The reason why the run was cancelled; `nil` if it was not.
  package init(
    _ storage: RunStorage, _ identifier: RunIdentifier, endedAt time: UInt64,
    _ cancellation: RunCancellation?
  ) {
    self.init(storage, identifier, RunEnd(time: time, cancellation: cancellation))
  }

  /// The identifier of the run, which distinguishes the runs of a process.
  public let identifier: RunIdentifier

  /// The number of processes that have worked on the run. The number is greater than 1 if the run
  /// was continued from its journal after a crash. See `Journal` in `PebblesDurable`.
  public var processCount: Int { storage.processCount }

  /// The reason why the run's journal could no longer be written; `nil` if there was no such
  /// problem, or if the run has no journal.
  ///
  /// The reason is worded to follow "its journal" in a sentence: `"could not be written"`. If the
  /// journal fails while the run is still booting, the run is cancelled.
  public var journalProblem: String? { storage.journalProblem }

  /// Whether the run was cancelled before its end.
  public var isCancelled: Bool { end.cancellation != nil }

  /// The reason why the run was cancelled; `nil` if it was not.
  public var cancellation: RunCancellation? { end.cancellation }

  /// The result of tearing down the run; `nil` until the teardown is done, or if a cancelled run
  /// had nothing to tear down. A cancelled run is torn down before its report is delivered, unless
  /// the run's deadline passes first.
  public var shutdown: ShutdownReport? { storage.shutdown }

  /// The name of the pond.
  public var pondName: String { storage.pond.graph.pondName }

  /// The time from the start of the run until every pebble had settled. It does not include a
  /// teardown.
  public var makespan: Duration { end.time.asNanoseconds }

  /// The records of all pebbles, in definition order.
  public var records: Records { Records(storage) }

  /// Returns the output of the pebble; `nil` if the pebble did not succeed, was not in the run, or
  /// succeeded without a value.
  ///
  /// To learn why there is no output, use ``value(of:)`` instead.
  ///
  /// - Complexity: O(1).
  public subscript<Output>(pebble: Pebble<Output>) -> Output? {
    position(of: pebble).flatMap { storage.values.output(at: $0, as: Output.self) }
  }

  /// Returns the outcome of the pebble. A pebble that is not in the run counts as skipped with
  /// ``SkipReason/notInRun``.
  ///
  /// - Complexity: O(1), or O(pebbles) for a pebble given by name.
  public func outcome(of pebble: some PebbleIdentifying) -> Outcome {
    record(of: pebble)?.outcome ?? .skipped(.notInRun)
  }

  /// Returns the record of the pebble; `nil` if the run had no such pebble.
  ///
  /// - Complexity: O(1), or O(pebbles) for a pebble given by name.
  public func record(of pebble: some PebbleIdentifying) -> PebbleRecord? {
    position(of: pebble).map { records[$0] }
  }

  /// Returns the record of the pebble with this name; `nil` if the run had no such pebble.
  ///
  /// - Complexity: O(pebbles).
  public func record(named name: String) -> PebbleRecord? { record(of: .named(name)) }

  /// Returns the position of a pebble in definition order; `nil` if the run had no such pebble.
  ///
  /// - Complexity: O(1), or O(pebbles) for a pebble given by name.
  package func position(of pebble: some PebbleIdentifying) -> Int? {
    storage.pond.graph.position(of: pebble)
  }
}

/// The records of a report, in definition order. Each record is created when it is accessed.
public struct Records: RandomAccessCollection, Sendable {
  private let storage: RunStorage

  init(_ storage: RunStorage) {
    self.storage = storage
  }

  /// The position of the first pebble.
  public var startIndex: Int { 0 }

  /// The position after the last pebble.
  public var endIndex: Int { storage.pond.network.pebbleCount }

  /// Returns the record of the pebble at a position in definition order.
  public subscript(position: Int) -> PebbleRecord {
    PebbleRecord(storage, position)
  }
}
