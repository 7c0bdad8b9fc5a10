import Pebbles
import PebblesAnalysis

extension PondModel {
  /// Begins a run of the pond whose bodies are called elsewhere; see ``Scheduler``.
  ///
  /// A model may come from a file or over a network, so a program can schedule a pond without its
  /// bodies, and without being the program that defined the pond.
  ///
  /// - Parameters:
  ///   - cases: The cases that hold of the given pebbles, by position; see `isGiven(at:)`. The
  ///     cases of a given pebble that has any must be listed, with an empty list if none holds.
  ///   - disabled: The pebbles that take no part in the run.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - run: The identifier of the run. Use the same one again to rebuild a run.
  /// - Returns: The scheduler.
  /// - Throws: `UnknownPebbleError` for a pebble that the model does not have, and
  ///   ``SchedulerError`` if the failure policy of the pond is a closure, if cases are missing or
  ///   cannot hold, or if a pebble with cases is not given.
  /// - Complexity: O(pebbles + atoms), and sorting the pebbles if there are priorities.
  public func scheduler(
    given cases: [Int: [PebbleCase]] = [:], disabling disabled: [any PebbleIdentifying] = [],
    only targets: [any PebbleIdentifying]? = nil, for run: RunIdentifier = RunIdentifier()
  ) throws -> Scheduler {
    try Scheduler(pond, given: cases, disabling: disabled, only: targets, for: run)
  }
}
