import Pebbles

/// One run as data: the contents of its report, without the outputs.
///
/// A report holds outputs and errors of any type, and exists only in the process that created it. A
/// recorded run can be stored, compared and examined anywhere.
///
/// ```swift
/// let run = try await pond.run().recorded()
/// ```
public struct RecordedRun: Sendable {
  /// The logic of the pond that ran.
  public let model: PondModel

  /// The records of the pebbles, in definition order.
  public let pebbles: [RecordedPebble]

  /// The time from the start of the run to its end.
  public let makespan: Duration

  /// The cancellation of the run; `nil` if the run was not cancelled.
  public private(set) var cancellation: RecordedCancellation?

  /// The shutdown of the run; `nil` if the run had not been shut down when it was recorded.
  public private(set) var shutdown: RecordedShutdown?

  /// The nested runs, that is, runs of other ponds started by bodies of this run.
  public let nested: [NestedRun]

  /// The start time, host and program version of the run, to the extent that they were provided
  /// when the run was recorded.
  public private(set) var origin: RunOrigin?

  /// The number of runs that are known to be nested directly in this run, but are not included in
  /// ``nested``.
  public let omittedNestedRuns: Int

  /// The operands that decided certain gates of the network, keyed by gate. A gate has an entry
  /// only if a replay of the recorded times would find a different operand.
  package internal(set) var deciders: [Int: Int] = [:]

  /// The problem with the journal of the run, worded as in `Report.journalProblem`; `nil` if there
  /// was no problem, or if the problem caused the run to be cancelled.
  package internal(set) var journalProblem: String?

  /// The states of the pebbles that had not ended when the run was read, as clauses keyed by
  /// position; `nil` if the run had ended. These pebbles count as cancelled.
  package private(set) var unended: [Int: String]?

  /// The one-based number of the first unreadable line in the journal of the run; `nil` if all
  /// lines are readable, or if the run was not read from a journal. The number is not written to
  /// documents.
  package var unreadableLine: Int?

  /// Returns the same run, marked as not having ended when it was read. The returned run therefore
  /// counts as cancelled, and its ``unended`` contains the given clauses.
  package func unended(_ pebbles: [Int: String]) -> RecordedRun {
    var run = self
    run.cancellation = RecordedCancellation(
      "it had not ended when it was read", isOrderly: true)
    run.unended = pebbles
    return run
  }

  /// Returns the same run with the given shutdown in place of its own.
  package func with(_ shutdown: RecordedShutdown) -> RecordedRun {
    var run = self
    run.shutdown = shutdown
    return run
  }

  /// Returns the same run with the given origin in place of its own.
  ///
  /// - Parameter origin: The start time, host and program version of the run; `nil` if they are not
  ///   known.
  /// - Returns: The run with this origin.
  package func from(_ origin: RunOrigin?) -> RecordedRun {
    var run = self
    run.origin = origin
    return run
  }

  /// A lookup that finds the positions of pebbles by name only.
  var positions: PebblePositions { PebblePositions(model.pond.graph, knowsNamesOnly: true) }

  // Creates a run without checking the values; `fault` reports a value that is not valid.
  package init(
    unchecked model: PondModel, pebbles: [RecordedPebble], makespan: Duration,
    cancellation: RecordedCancellation? = nil, shutdown: RecordedShutdown? = nil,
    nested: [NestedRun] = [], omittedNestedRuns: Int = 0, deciders: [Int: Int] = [:]
  ) {
    self.model = model
    self.pebbles = pebbles
    self.makespan = makespan
    self.cancellation = cancellation
    self.shutdown = shutdown
    self.nested = nested
    self.omittedNestedRuns = omittedNestedRuns
    self.deciders = deciders
  }

  /// Creates the record of a run from its parts, for example in a test. Times are rounded to whole
  /// nanoseconds.
  ///
  /// - Parameters:
  ///   - model: The logic of the pond that ran.
  ///   - pebbles: The records of the pebbles of the model, in the same order.
  ///   - makespan: The time from the start of the run to its end.
  ///   - cancellation: The cancellation of the run; `nil` if it was not cancelled.
  ///   - shutdown: The shutdown of the run; `nil` if the run has not been shut down.
  /// - Throws: ``RecordingError`` if the parts contradict each other. Examples are pebbles that do
  ///   not match the model, a time before the start or after the end of the run, a pebble that
  ///   finished before it started, a skipped pebble that started, and pebbles that decided each
  ///   other. The initializer does not check whether the outcomes follow from the conditions.
  ///   Methods that replay the run, such as ``why(_:)``, do.
  /// - Complexity: O(pebbles + attempts).
  public init(
    model: PondModel, pebbles: [RecordedPebble], makespan: Duration,
    cancellation: RecordedCancellation? = nil, shutdown: RecordedShutdown? = nil
  ) throws(RecordingError) {
    self.init(
      unchecked: model, pebbles: pebbles.map(\.inWholeNanoseconds),
      makespan: makespan.inWholeNanoseconds, cancellation: cancellation,
      shutdown: shutdown?.inWholeNanoseconds)
    if let fault { throw fault }
  }
}

/// A nested run, as data: a run of another pond, started by the body of a pebble.
public struct NestedRun: Sendable {
  /// The zero-based position, in definition order, of the pebble whose body started the run.
  public let pebble: Int

  /// The record of the run. Its times are offsets from the start of the nested run.
  public let run: RecordedRun

  package init(pebble: Int, run: RecordedRun) {
    self.pebble = pebble
    self.run = run
  }
}

/// The cancellation of a run, as data.
public struct RecordedCancellation: Sendable, Hashable {
  /// The reason, as a clause: `its deadline passed`.
  public let reason: String

  /// Whether a caller, a signal or the system asked the run to end. The value is `false` if the run
  /// was cancelled because of a problem. See ``RecordedRun/exitCode``.
  public let isOrderly: Bool

  /// Creates a record of a cancellation.
  ///
  /// - Parameters:
  ///   - reason: The reason, as a clause.
  ///   - isOrderly: Whether the run was asked to end; `false` if it was cancelled because of a
  ///     problem.
  public init(_ reason: String, isOrderly: Bool) {
    self.reason = reason
    self.isOrderly = isOrderly
  }
}

extension RecordedCancellation: CustomStringConvertible {
  /// The reason, as a clause.
  public var description: String { reason }
}

/// An error indicating that the record of a run is impossible or ambiguous.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The position, in definition order, of the pebble that has the problem; `nil` if the problem
  /// concerns the run as a whole.
  public let pebble: Int?

  /// The problem, as a sentence. If a pebble has the problem, the sentence names the pebble.
  public let description: String
}
