import Pebbles

/// One run as data: what its report says, without the outputs.
///
/// Reports hold outputs and errors of any type, and live in the process that made them. This is the
/// part that can be kept, compared and worked on anywhere.
///
/// ```swift
/// let run = try await pond.run().recorded()
/// ```
public struct RecordedRun: Sendable {
  /// The logic of the pond that ran.
  public let model: PondModel

  /// What happened to each pebble, in definition order.
  public let pebbles: [RecordedPebble]

  /// The time from the start of the run to its end.
  public let makespan: Duration

  /// Why the run was cancelled; `nil` if it was not.
  public let cancellation: RecordedCancellation?

  /// What came of tearing the run down; `nil` if that had not been done when this was recorded.
  public let shutdown: RecordedShutdown?

  /// The runs of other ponds by bodies of this one.
  public let nested: [NestedRun]

  /// When, where and with what it ran, as far as whoever recorded it has said so.
  public private(set) var origin: RunOrigin?

  /// How many nested runs are known, directly in this run, but are not in ``nested``.
  public let omittedNestedRuns: Int

  /// The operands that decided conditions, by gate of the network, where they are not those that
  /// the order in which all settled tells.
  package internal(set) var deciders: [Int: Int] = [:]

  /// What the pebbles were at that had not ended when a run was read that was under way, each a
  /// clause; `nil` of a run that had ended. All of them count as cancelled. Not part of what is
  /// written.
  package private(set) var unended: [Int: String]?

  /// Which line of the journal it was read from is the first that is none; `nil` if all are read,
  /// or it was not read from one. Not part of what is written.
  package var unreadableLine: Int?

  /// The same, as a run that had not ended.
  package func unended(_ pebbles: [Int: String]) -> RecordedRun {
    var run = RecordedRun(
      unchecked: model, pebbles: self.pebbles, makespan: makespan,
      cancellation: RecordedCancellation("it had not ended when it was read", isOrderly: true),
      shutdown: shutdown, nested: nested, omittedNestedRuns: omittedNestedRuns,
      deciders: deciders)
    run.unended = pebbles
    run.unreadableLine = unreadableLine
    run.origin = origin
    return run
  }

  /// The same run, with where it comes from.
  ///
  /// - Parameter origin: When, where and with what it ran; `nil` if that is not known.
  /// - Returns: The run with that, instead of what was known before.
  public func from(_ origin: RunOrigin?) -> RecordedRun {
    var run = self
    run.origin = origin
    return run
  }

  /// Finds pebbles, by their names only.
  var positions: PebblePositions { PebblePositions(model.pond.graph, knowsNamesOnly: true) }

  // Makes a run of values that are known to be right; see `fault`.
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

  /// Puts a run together by hand, for a test perhaps. Times are rounded to whole nanoseconds.
  ///
  /// - Parameters:
  ///   - model: The logic of the pond that ran.
  ///   - pebbles: What happened to each pebble of the model, in the same order.
  ///   - makespan: The time from the start of the run to its end.
  ///   - cancellation: Why the run was cancelled; `nil` if it was not.
  ///   - shutdown: What came of tearing the run down; `nil` if that has not been done.
  /// - Throws: ``RecordingError`` if no run can have gone like that: pebbles that are not those of
  ///   the model, a time before the start or after the end, a finish before a start, a skipped
  ///   pebble that started, pebbles that decided each other, a pebble that was torn down twice.
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
