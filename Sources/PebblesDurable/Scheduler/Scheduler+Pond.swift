import Pebbles
import PebblesAnalysis

extension Scheduler {
  /// Creates a scheduler for a run of a pond as it is currently defined.
  ///
  /// The conditions of `.enabled` are not evaluated; the caller specifies which pebbles take part.
  /// The given values only determine which cases hold; they are not kept.
  ///
  /// - Parameters:
  ///   - pond: The pond.
  ///   - values: The values that are given to the run.
  ///   - disabled: The pebbles that take no part in the run.
  ///   - targets: The pebbles to run, along with everything they need, as in
  ///     `Pond.run(only:)`; `nil` for all.
  ///   - run: The identifier of the run. To rebuild a run, use its identifier again.
  /// - Throws: `PondError` if the pond is defined incorrectly, or if a pebble that needs a value is
  ///   not given exactly one value; `UnknownPebbleError` if the pond does not have one of the
  ///   listed pebbles; ``SchedulerError`` if the failure policy is a closure, because the errors
  ///   that a closure needs are in other processes.
  /// - Complexity: O(pebbles + atoms), plus the time to sort the pebbles if there are priorities.
  public convenience init(
    _ pond: Pond, given values: [GivenValue] = [],
    disabling disabled: [any PebbleIdentifying] = [],
    only targets: [any PebbleIdentifying]? = nil, for run: RunIdentifier = RunIdentifier()
  ) throws {
    let program = pond.program()
    let logic = program.pond
    try logic.check()
    let (outputs, faults) = program.outputs(
      given: values, in: try logic.subset(only: targets))
    guard faults.isEmpty else { throw PondError(pondName: pond.name, faults: faults) }
    var cases: [Int: [PebbleCase]] = [:]
    for (pebble, output) in outputs { cases[pebble] = program.cases(of: pebble, output: output) }
    try self.init(logic, given: cases, disabling: disabled, only: targets, for: run)
  }
}

extension PondLogic {
  /// Returns the positions of the pebbles that take part in a run; `nil` if all pebbles take part.
  func subset(
    only targets: [any PebbleIdentifying]?
  ) throws(UnknownPebbleError) -> Set<Int>? {
    guard let targets else { return nil }
    var positions = PebblePositions(graph)
    return subset(for: try positions.positions(of: targets))
  }
}

extension PondModel {
  /// Begins a run of the pond, and returns its scheduler. The bodies are called elsewhere; see
  /// ``Scheduler``.
  ///
  /// A model has no bodies, and may come from a file or over a network. A program can therefore
  /// schedule a pond that another program has defined.
  ///
  /// - Parameters:
  ///   - cases: The cases that hold for each given pebble, keyed by the position of the pebble; see
  ///     `isGiven(at:)`. A given pebble that has cases must be included, with an empty list if none
  ///     of them holds.
  ///   - disabled: The pebbles that take no part in the run.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - run: The identifier of the run. To rebuild a run, use its identifier again.
  /// - Returns: The scheduler.
  /// - Throws: `UnknownPebbleError` if the model does not have one of the listed pebbles;
  ///   ``SchedulerError`` if the failure policy of the pond is a closure, if cases are missing or
  ///   cannot hold, or if `cases` includes a pebble that is not given.
  /// - Complexity: O(pebbles + atoms), plus the time to sort the pebbles if there are priorities.
  public func scheduler(
    given cases: [Int: [PebbleCase]] = [:], disabling disabled: [any PebbleIdentifying] = [],
    only targets: [any PebbleIdentifying]? = nil, for run: RunIdentifier = RunIdentifier()
  ) throws -> Scheduler {
    try Scheduler(pond, given: cases, disabling: disabled, only: targets, for: run)
  }
}
