import Pebbles

/// All runs of a pond that a failure may cancel: those that go on to their end, and those that are
/// cut off, at whatever moment.
///
/// Take a run that was cut off. What a body that was running then returned or threw in the end is
/// as if it had done so before. So the run is one that goes on to its end, but for pebbles that
/// have not started: each of these was *caught*, being ready, or waits for such a one. And the
/// failure that cancelled it stays unhandled however it goes on. The other way round: whichever
/// pebbles are caught, all that is left settles, and if a failure is unhandled then, whatever those
/// do that are left waiting, this may be what cancels the run. So there is a variable for each
/// pebble that says whether it is caught, and Kleene's tables say what can still be known.
///
/// A stall ends that freedom: it is settled only in a run that has come to rest, and that no
/// failure has cancelled by then. See `CutOff`.
///
/// This takes in every run there is. It takes in more only where limits keep pebbles waiting.
struct CancelledScenarios: Sendable {
  /// The run, with how each pebble ends if it goes on.
  var run: SymbolicRun

  /// Where a run goes on to its end: if pebbles stall, not where it is cut off before. A failure
  /// that comes last changes nothing.
  private(set) var isWhole: BooleanFunction

  /// Where a run is cut off.
  private(set) var isCut: BooleanFunction

  /// How each pebble ends then.
  private let pebblesWhenCut: [SymbolicPebble?]

  /// Follows all runs; `nil` if that takes more nodes than there may be.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - limit: How many nodes the diagram may have.
  ///   - isCutByAny: Whether any failure may cancel the run, and not only one that is unhandled.
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

  /// Whether any failure cancels a run.
  var isAnyCut: Bool { isCut != .never }

  /// Where a condition is true in the end.
  ///
  /// - Returns: Where in runs that go on to their end, and where in those that are cut off, of
  ///   which there are some where `isCut` is true.
  /// - Throws: `DiagramLimitReached` if that is not known.
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

  /// Where there is a run in which a condition is true in the end.
  ///
  /// - Throws: `DiagramLimitReached` if that is not known.
  mutating func runs(
    where condition: Condition
  ) throws(DiagramLimitReached) -> BooleanFunction? {
    guard let (whole, cut) = try functions(of: condition) else { return nil }
    return try run.diagram.or(run.diagram.and(isWhole, whole), self.cut(where: cut))
  }

  /// How often something is true in the end of a run.
  mutating func occurrence(
    of condition: Condition
  ) throws(DiagramLimitReached) -> Occurrence? {
    guard let isTrue = try runs(where: condition), let isFalse = try runs(where: !condition) else {
      return nil
    }
    return isFalse == .never ? .always : isTrue == .never ? .never : .sometimes
  }

  /// Where a run is cut off and something is true.
  mutating func cut(
    where function: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    try run.diagram.and(isCut, function)
  }

  /// Where a run is cut off before a pebble starts.
  mutating func isCaught(_ pebble: Int) throws(DiagramLimitReached) -> BooleanFunction {
    try cut(where: pebblesWhenCut[pebble]?.skipped ?? .never)
  }

  /// How often something is so that is always so, or never, in runs that go on to their end.
  ///
  /// - Parameters:
  ///   - occurrence: How often it is so in these.
  ///   - exception: Where it is otherwise in a run that is cut off.
  /// - Returns: How often it is so in all; `nil` if that is not known.
  func occurrence(_ occurrence: Occurrence, unless exception: BooleanFunction) -> Occurrence? {
    if exception == .never { return occurrence }
    switch run.model.failurePolicy {
    case .ignore: return occurrence
    case .cancelAll: return ending(where: exception) == nil ? nil : .sometimes
    case .custom: return nil
    }
  }

  /// The ending of a smallest scenario of a function that is not false everywhere: as simulated by
  /// the engine.
  ///
  /// - Returns: The ending; `nil` if the scenario turns out to be one that is taken in without
  ///   being there.
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
      of: run.model, catching: caught, cutting: late, asking: cases
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
