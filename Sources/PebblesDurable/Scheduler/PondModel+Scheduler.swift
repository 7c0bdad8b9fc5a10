import Pebbles
import PebblesAnalysis

extension PondModel {
  /// Begins a run of the pond whose bodies are called elsewhere; see ``Scheduler``.
  ///
  /// A model may come from a file or over a network, so what schedules need neither have the bodies
  /// nor be the program that defined the pond.
  ///
  /// - Parameters:
  ///   - cases: Which cases hold of what the run is given, by position: see `isGiven(at:)`. It
  ///     must be said of what has any, with an empty list if none holds.
  ///   - disabled: The pebbles that take no part.
  ///   - targets: What the run is of, and all that this needs; if `nil`, everything.
  ///   - run: Which run it is: the same again where one is rebuilt.
  /// - Returns: The scheduler.
  /// - Throws: `UnknownPebbleError` for a pebble that the model does not have, and
  ///   ``SchedulerError`` if the failure policy of the pond is a closure, for cases that are not
  ///   said or cannot hold, and for those of a pebble that is not given.
  /// - Complexity: O(pebbles + atoms), and sorting the pebbles if there are priorities.
  public func scheduler(
    given cases: [Int: [PebbleCase]] = [:], disabling disabled: [any PebbleIdentifying] = [],
    only targets: [any PebbleIdentifying]? = nil, for run: RunIdentifier = RunIdentifier()
  ) throws -> Scheduler {
    try Scheduler(pond, given: cases, disabling: disabled, only: targets, for: run)
  }
}
