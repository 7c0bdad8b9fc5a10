import Pebbles

/// All runs of a pond that a failure may cancel: those that go on to their end, and those that are
/// cut off, at whatever moment.
///
/// Take a run that was cut off. What a body that was running then returned or threw in the end is
/// as if it had done so before. So the run is one that goes on to its end, but for pebbles that have
/// not started: each of these was *caught*, being ready, or waits for such a one. And the failure
/// that cancelled it stays unhandled however it goes on. The other way round: whichever pebbles are
/// caught, all that is left settles, and if a failure is unhandled then, whatever those do that are
/// left waiting, this may be what cancels the run. So there is a variable for each pebble that says
/// whether it is caught, and Kleene's tables say what can still be known.
///
/// This takes in every run there is. It takes in more where limits keep pebbles waiting, where
/// predicates are about, and where pebbles stall more than once: what is skipped in a stall is taken
/// to be known once none of those is caught that run before the first one.
struct CancelledScenarios: Sendable {
  /// The run, with how each pebble ends if it goes on.
  var run: SymbolicRun

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
      var cut = try CutOff(&run)
      try cut.settle(&run)
      let progress = cut.progress
      isCut =
        isCutByAny
        ? try run.diagram.any(progress.failed) : try run.unhandledFailure(progress)
      pebblesWhenCut = cut.pebbles
    } catch {
      return nil
    }
  }

  /// Whether any failure cancels a run.
  var isAnyCut: Bool { isCut != .never }

  /// Where a condition is true in the end.
  ///
  /// - Returns: Where in runs that go on to their end, and where in those that are cut off, of which
  ///   there are some where `isCut` is true.
  /// - Throws: `DiagramLimitReached` if that is not known: what a predicate says in the end of a run
  ///   that was cut off never is.
  mutating func functions(
    of condition: Condition
  ) throws(DiagramLimitReached) -> (whole: BooleanFunction, cut: BooleanFunction)? {
    guard let whole = try run.function(of: condition) else { return nil }
    guard isAnyCut else { return (whole, whole) }
    let (pebbles, values) = (run.pebbles, run.values)
    defer {
      run.pebbles = pebbles
      run.values = values
    }
    run.pebbles = pebblesWhenCut
    let network = run.model.pond.network
    for predicate in 0..<network.predicateCount {
      run.values[network.row(ofPredicate: predicate)] = nil
    }
    return try run.function(of: condition).map { (whole, $0) }
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

  /// The ending of a smallest scenario of a function that is not false everywhere: as played by the
  /// engine.
  ///
  /// - Returns: The ending; `nil` if the scenario turns out to be one that is taken in without being
  ///   there.
  func ending(where function: BooleanFunction) -> Ending? {
    let unusual = run.smallestScenario(where: function)
    var caught: Set<Int> = []
    for case .caught(let pebble) in unusual { caught.insert(pebble) }
    guard !caught.isEmpty else {
      return Rehearsal.ending(of: run.model) { !unusual.contains($0) }
    }
    let ending = Rehearsal.cancelledEnding(of: run.model, catching: caught) {
      !unusual.contains($0)
    }
    guard let ending else { return nil }
    let isTrue = { (variable: DiagramVariable) -> Bool in
      let meaning = run.variables[variable.number]
      if case .caught = meaning { return unusual.contains(meaning) }
      return !unusual.contains(meaning)
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

/// What is known at the latest moment at which a run can be cut off, if some pebbles are caught.
///
/// It is part of what is known in the end of the run that goes on: Kleene's tables are monotone. So
/// how pebbles end is taken from there, and only whether that is known has to be found out.
private struct CutOff {
  /// By row: where it is known to be true, and to be false. Of pebbles: of their conditions.
  private var isTrue: [BooleanFunction]
  private var isFalse: [BooleanFunction]

  /// By pebble: where it has started.
  private var started: [BooleanFunction]
  private(set) var progress: SymbolicRun.Progress

  /// By pebble: where it ends in a stall, by being skipped or because of a predicate.
  private var endsInStall: [BooleanFunction]

  /// Where a stall may have been settled.
  private var hasStalled = BooleanFunction.never

  init(_ run: inout SymbolicRun) throws(DiagramLimitReached) {
    let network = run.model.pond.network
    isTrue = Array(repeating: .never, count: network.rowCount)
    isFalse = isTrue
    started = Array(repeating: .never, count: network.pebbleCount)
    progress = try run.progressInTheEnd()
    progress.failed = started
    progress.skipped = progress.disabled
    endsInStall = started
    for pebble in started.indices {
      guard let ending = run.pebbles[pebble], let value = run.values[pebble] else {
        throw DiagramLimitReached()
      }
      endsInStall[pebble] = try run.diagram.any([
        ending.stalled, ending.predicateNeverHeld,
        run.diagram.and(ending.ran, value.isIdleTrue),
      ])
    }
    for predicate in 0..<network.predicateCount {
      let row = network.row(ofPredicate: predicate)
      guard let value = run.values[row] else { throw DiagramLimitReached() }
      isTrue[row] = value.isTrue
    }
  }

  /// How each pebble ends if the run is cut off.
  var pebbles: [SymbolicPebble?] {
    started.indices.map { pebble in
      var ending = SymbolicPebble()
      ending.ran = started[pebble]
      ending.skipped = !started[pebble]
      ending.failed = progress.failed[pebble]
      ending.succeeded = succeeded[pebble]
      return ending
    }
  }

  private var succeeded: [BooleanFunction] = []

  /// Finds out all that can be known.
  mutating func settle(_ run: inout SymbolicRun) throws(DiagramLimitReached) {
    succeeded = started
    try propagate(&run)
    guard endsInStall.contains(where: { $0 != .never }) else { return }
    // The moment at which a predicate holds makes a difference to what runs before a stall.
    hasStalled = run.model.pond.network.predicateCount > 0 ? .always : try isAtRest(&run)
    try propagate(&run)
  }

  /// Where none is caught that can run before anything stalls.
  private func isAtRest(_ run: inout SymbolicRun) throws(DiagramLimitReached) -> BooleanFunction {
    var areFree: [BooleanFunction] = []
    for pebble in started.indices {
      guard let ending = run.pebbles[pebble] else { throw DiagramLimitReached() }
      let isReady = try run.diagram.and(ending.ran, isTrue[pebble])
      areFree.append(!(try run.diagram.and(isReady, !started[pebble])))
    }
    return try run.diagram.all(areFree)
  }

  /// Kleene's tables, to their fixpoint.
  private mutating func propagate(_ run: inout SymbolicRun) throws(DiagramLimitReached) {
    let network = run.model.pond.network
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for row in run.order where row < network.gateCount {
        if try update(row, &run) { hasChanged = true }
      }
      if !run.hasCircles { break }
    }
  }

  private mutating func update(
    _ row: Int, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> Bool {
    try run.diagram.takeSteps(1)
    var trues = run.constants[row, default: []].map { BooleanFunction($0) }
    var falses = trues.map(!)
    for operand in run.operands(of: row) {
      let source = Int(operand.source)
      if source < started.count {
        trues.append(try known(source, operand.outcomes, &run))
        falses.append(try known(source, operand.outcomes.complement, &run))
      } else {
        let isPlain = operand.outcomes.contains(.succeeded)
        trues.append(isPlain ? isTrue[source] : isFalse[source])
        falses.append(isPlain ? isFalse[source] : isTrue[source])
      }
    }
    let isAll = run.model.pond.network.kinds[row] == .all
    let value = isAll ? try run.diagram.all(trues) : try run.diagram.any(trues)
    let opposite = isAll ? try run.diagram.any(falses) : try run.diagram.all(falses)
    let hasChanged = value != isTrue[row] || opposite != isFalse[row]
    isTrue[row] = value
    isFalse[row] = opposite
    guard row < started.count else { return hasChanged }
    return try updateOutcome(of: row, &run) || hasChanged
  }

  /// Where the outcome of a pebble is known, and one of some.
  private func known(
    _ pebble: Int, _ outcomes: OutcomeSet, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> BooleanFunction {
    var parts: [BooleanFunction] = []
    if outcomes.contains(.completed) {
      parts.append(started[pebble])
    } else if outcomes.contains(.succeeded) {
      parts.append(succeeded[pebble])
    } else if outcomes.contains(.failed) {
      parts.append(progress.failed[pebble])
    }
    if outcomes.contains(.skipped) { parts.append(progress.skipped[pebble]) }
    return try run.diagram.any(parts)
  }

  private mutating func updateOutcome(
    of pebble: Int, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> Bool {
    guard let ending = run.pebbles[pebble], let caught = run.caught[pebble] else {
      throw DiagramLimitReached()
    }
    let stalled = try run.diagram.and(endsInStall[pebble], hasStalled)
    let isReady = try run.diagram.and(ending.ran, run.diagram.or(isTrue[pebble], stalled))
    let hasStarted = try run.diagram.and(isReady, where: caught, is: false)
    let isDecided = try run.diagram.any([isFalse[pebble], stalled, progress.disabled[pebble]])
    let isSkipped = try run.diagram.and(ending.skipped, isDecided)
    let hasChanged = hasStarted != started[pebble] || isSkipped != progress.skipped[pebble]
    started[pebble] = hasStarted
    progress.skipped[pebble] = isSkipped
    guard hasChanged else { return false }
    let body = run.bodies[pebble]
    succeeded[pebble] = try run.diagram.and(hasStarted, where: body, is: true)
    progress.failed[pebble] = try run.diagram.and(hasStarted, where: body, is: false)
    return true
  }
}
