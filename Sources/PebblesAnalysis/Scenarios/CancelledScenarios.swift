import Pebbles

/// All possible runs of a pond in which a failure can cancel the run. Some runs continue to their
/// end, and others are cut off.
///
/// A run is *cut off* if a failure cancels it. This can happen at any moment.
///
/// In a run that was cut off, a body that was still running could just as well have ended before
/// the cut. The run therefore differs from a run that continues to its end only in the pebbles that
/// have not started. Each of these pebbles either was *caught*, that is, ready when the run was cut
/// off, or waits for a caught pebble. The failure that cancelled the run stays unhandled, whatever
/// happens afterwards.
///
/// Conversely, suppose that some pebbles are caught, and that all pebbles that do not wait for them
/// have settled. A failure may have cancelled the run if it is unhandled at this point, whatever
/// the waiting pebbles would do. Each pebble therefore has a variable that is true if the pebble is
/// caught. For given values of these variables, Kleene's tables determine which outcomes are known.
///
/// Stalls restrict which pebbles can be caught. A stall is settled only when a run has come to
/// rest, and only if no failure has cancelled the run by then. See `CutOff`.
///
/// The result includes every possible run. It can include impossible runs only if limits make ready
/// pebbles wait.
struct CancelledScenarios: Sendable {
  /// The run, with the outcome that each pebble has if the run is not cut off.
  var run: SymbolicRun

  /// The scenarios where a run may continue to its end. A scenario is excluded only if an unhandled
  /// failure cancels the run before a stall. In every other scenario with a failure, the body that
  /// fails may be the last body to end, leaving nothing to cancel.
  private(set) var isWhole: BooleanFunction

  /// The scenarios where a run is cut off.
  private(set) var isCut: BooleanFunction

  /// The outcome of each pebble if the run is cut off.
  private let pebblesWhenCut: [SymbolicPebble?]

  /// Creates the scenarios by following all runs. Returns `nil` if the diagram would have more than
  /// `limit` nodes.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - limit: The maximum number of nodes in the diagram.
  ///   - isCutByAny: Whether any failure may cancel the run, not only an unhandled failure.
  init?(_ model: PondModel, limit: Int, isCutByAny: Bool) {
    run = SymbolicRun(model, limit: limit, isCancelled: true)
    run.diagram.allowMoreSteps()
    do throws(DiagramLimitReached) {
      var cut = try CutOff(
        &run, isCutByAny ? .anyFailure : .unhandledFailure, isAnytime: true)
      try cut.settle(&run)
      isCut = cut.isCut
      isWhole = .always
      if run.hasStalls, !isCutByAny {
        var none: [DiagramVariable: Bool] = [:]
        for variable in run.caught.values { none[variable] = false }
        for variable in run.late.values { none[variable] = false }
        let goesOn = try run.diagram.and(!cut.isHalted, !cut.wasUnhandled)
        isWhole = try run.diagram.restrict(goesOn, none)
      }
      pebblesWhenCut = cut.pebbles
    } catch {
      return nil
    }
  }

  /// Whether a failure cancels the run in some scenario.
  var isAnyCut: Bool { isCut != .never }

  /// Returns the scenarios where a condition is true at the end of a run, separately for runs that
  /// continue to their end and for runs that are cut off.
  ///
  /// - Returns: The scenarios for both kinds of runs; `nil` if the condition mentions a pebble, or
  ///   a case, that the model does not have. The scenarios for runs that are cut off are
  ///   meaningful only where `isCut` is true.
  /// - Throws: `DiagramLimitReached` if the scenarios are not known.
  mutating func functions(
    of condition: Condition
  ) throws(DiagramLimitReached) -> (whole: BooleanFunction, cut: BooleanFunction)? {
    guard let whole = try run.function(of: condition) else { return nil }
    guard isAnyCut else { return (whole, whole) }
    let pebbles = run.pebbles
    defer { run.pebbles = pebbles }
    run.pebbles = pebblesWhenCut
    return try run.function(of: condition).map { (whole, $0) }
  }

  /// Returns the scenarios where a condition is true at the end of some run, cut off or not.
  ///
  /// - Returns: The scenarios; `nil` if the condition mentions a pebble, or a case, that the model
  ///   does not have.
  /// - Throws: `DiagramLimitReached` if the scenarios are not known.
  mutating func runs(
    where condition: Condition
  ) throws(DiagramLimitReached) -> BooleanFunction? {
    guard let (whole, cut) = try functions(of: condition) else { return nil }
    return try run.diagram.or(run.diagram.and(isWhole, whole), self.cut(where: cut))
  }

  /// Returns how often a condition is true at the end of a run; `nil` if the condition mentions a
  /// pebble, or a case, that the model does not have.
  mutating func occurrence(
    of condition: Condition
  ) throws(DiagramLimitReached) -> Occurrence? {
    guard let isTrue = try runs(where: condition), let isFalse = try runs(where: !condition) else {
      return nil
    }
    return isFalse == .never ? .always : isTrue == .never ? .never : .sometimes
  }

  /// Returns the scenarios where a run is cut off and a function is true.
  mutating func cut(
    where function: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    try run.diagram.and(isCut, function)
  }

  /// Returns the scenarios where a run is cut off and a pebble has not started by the time of the
  /// cut.
  mutating func isCaught(_ pebble: Int) throws(DiagramLimitReached) -> BooleanFunction {
    try cut(where: pebblesWhenCut[pebble]?.skipped ?? .never)
  }

  /// Returns how often a statement is true across all runs. The statement must be true in all of
  /// the runs that continue to their end, or in none of them.
  ///
  /// - Parameters:
  ///   - occurrence: How often the statement is true in runs that continue to their end: `.always`
  ///     or `.never`.
  ///   - exception: The scenarios where the statement has the opposite value in a run that is cut
  ///     off.
  /// - Returns: How often the statement is true across all runs; `nil` if that is not known.
  func occurrence(_ occurrence: Occurrence, unless exception: BooleanFunction) -> Occurrence? {
    if exception == .never { return occurrence }
    switch run.model.failurePolicy {
    case .ignore: return occurrence
    case .cancelAll: return ending(where: exception) == nil ? nil : .sometimes
    case .custom: return nil
    }
  }

  /// Returns the ending of a smallest scenario in which a function is true, as simulated by the
  /// engine.
  ///
  /// - Precondition: The diagram contains a scenario in which the function is true.
  /// - Returns: The ending; `nil` if the scenario in the diagram cannot occur in a run.
  func ending(where function: BooleanFunction, asking cases: Set<Int>? = nil) -> Ending? {
    let unusual = run.smallestScenario(where: function)
    var caught: Set<Int> = []
    var late: Set<Int> = []
    for variable in unusual {
      switch variable {
      case .caught(let pebble): caught.insert(pebble)
      case .late(let pebble): late.insert(pebble)
      case .body, .activation, .case: continue
      }
    }
    guard !caught.isEmpty || !late.isEmpty else {
      return ScenarioSimulation.ending(of: run.model, asking: cases) { $0.value(unusual: unusual) }
    }
    let ending = ScenarioSimulation.cancelledEnding(
      of: run.model, catching: caught, endingLast: late, asking: cases
    ) { $0.value(unusual: unusual) }
    guard let ending else { return nil }
    let isTrue = { (variable: DiagramVariable) -> Bool in
      run.variables[variable.number].value(unusual: unusual)
    }
    for (pebble, outcome) in zip(pebblesWhenCut, ending.outcomes) {
      guard let pebble,
        run.diagram.value(of: pebble.succeeded, where: isTrue) == (outcome == .succeeded),
        run.diagram.value(of: pebble.failed, where: isTrue) == (outcome == .failed)
      else { return nil }
    }
    return ending
  }
}
