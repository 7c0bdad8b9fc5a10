import Pebbles

extension Scheduler {
  /// Begins a run of a pond as it is defined now.
  ///
  /// What `.enabled` says is not asked for: the caller says who takes part. What the run is given
  /// is asked for its cases; it is not kept.
  ///
  /// - Parameters:
  ///   - pond: The pond.
  ///   - values: What the run is given.
  ///   - disabled: The pebbles that take no part.
  ///   - targets: What the run is of, and all that this needs, as in `Pond.run(only:)`; if `nil`,
  ///     everything.
  ///   - run: Which run it is: the same again where one is rebuilt.
  /// - Throws: `PondError` if the pond is defined wrongly, or if the run is not given each value
  ///   that it needs, once; `UnknownPebbleError` for a pebble in one of the lists that the pond
  ///   does not have; and ``SchedulerError`` if it has a failure policy that is a closure: it is
  ///   about errors, which are elsewhere.
  /// - Complexity: O(pebbles + atoms), and sorting the pebbles if there are priorities.
  public convenience init(
    _ pond: Pond, given values: [GivenValue] = [],
    disabling disabled: [any PebbleIdentifying] = [],
    only targets: [any PebbleIdentifying]? = nil, for run: RunIdentifier = RunIdentifier()
  ) throws {
    let program = pond.program()
    let logic = program.pond
    guard logic.faults.isEmpty else { throw PondError(pondName: pond.name, faults: logic.faults) }
    let (outputs, faults) = program.outputs(
      given: values, in: try logic.subset(only: targets))
    guard faults.isEmpty else { throw PondError(pondName: pond.name, faults: faults) }
    var cases: [Int: [PebbleCase]] = [:]
    for (pebble, output) in outputs { cases[pebble] = program.cases(of: pebble, output: output) }
    try self.init(logic, given: cases, disabling: disabled, only: targets, for: run)
  }
}

extension PondLogic {
  /// What a run is of; `nil` for everything.
  func subset(
    only targets: [any PebbleIdentifying]?
  ) throws(UnknownPebbleError) -> Set<Int>? {
    guard let targets else { return nil }
    var positions = PebblePositions(graph)
    return subset(for: try positions.positions(of: targets))
  }
}
