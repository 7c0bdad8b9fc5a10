import Pebbles

/// The runs that are *cut off*, that is, cancelled by a failure. All scenarios are followed at
/// once.
///
/// Kleene's tables are monotone, and the schedule does not affect which pebbles stall. The outcomes
/// of pebbles are therefore taken from the run that is not cut off. This type computes how far each
/// run gets, from one stall to the next.
///
/// A stall is settled when a run is *at rest*: nothing is ready, and all bodies that were called
/// have ended. By then, every failure has been examined, so an unhandled failure cuts the run off
/// before the next stall. If settling a stall leaves a failure unhandled, the pebbles that became
/// ready in that stall do not start.
///
/// Between two stalls, bodies may end in any order, so a run may be cut off at different moments.
/// Some pebbles are then *caught*: they are ready, but do not start. Others are *late*: they have
/// started, but not ended. As long as the late pebbles are running, every failure is handled or may
/// still be handled. Once they have ended, some failure is unhandled.
///
/// Late pebbles matter only for failures that precede a stall. An unhandled failure after all
/// stalls can always come last, because a pebble that depended on the failure would handle it.
/// Ponds without cycles therefore have no late pebbles.
struct CutOff {
  /// A rule that determines which failures cut a run off.
  enum Rule {
    case unhandledFailure
    /// A rule by which any failure may cut a run off.
    case anyFailure
  }

  private let rule: Rule

  /// Whether a run may be cut off at any moment. If `false`, a run is cut off only after all bodies
  /// that can end have ended.
  let isAnytime: Bool

  private let hasStalls: Bool
  let hasLate: Bool

  /// The scenarios where a given row is known to be true, indexed by row.
  ///
  /// `isFalse` contains the scenarios where a row is known to be false. A pebble's row represents
  /// its condition.
  var isTrue: [BooleanFunction]
  var isFalse: [BooleanFunction]

  /// The scenarios where a given pebble has started, indexed by pebble.
  var started: [BooleanFunction]
  var succeeded: [BooleanFunction]
  var progress: SymbolicRun.Progress

  /// The scenarios where a given pebble has been skipped in a stall, indexed by pebble.
  var stalled: [BooleanFunction]

  /// Whether pebbles start when they become ready; `false` while a stall is being settled, and
  /// while the late bodies end.
  var isStarting = true

  /// Whether all bodies that have started have ended, including the late ones.
  var isEnding = false

  /// The scenarios where a stall has left a failure unhandled.
  private(set) var isHalted = BooleanFunction.never

  /// The scenarios where a failure was unhandled when the run came to rest, or earlier, while late
  /// bodies were still running.
  private(set) var wasUnhandled = BooleanFunction.never

  /// The scenarios where the run is cut off.
  private(set) var isCut = BooleanFunction.never

  /// Whether an earlier failure may be left unhandled by bodies that start after a stall. In that
  /// case, the bodies that start depend on the order in which bodies end.
  private(set) var dependsOnOrder = false

  /// Creates the state of runs before anything has started.
  ///
  /// - Parameters:
  ///   - run: The run, with the outcomes that pebbles have if the run is not cut off.
  ///   - rule: The rule that determines which failures cut a run off.
  ///   - isAnytime: Whether a run may be cut off at any moment. If `false`, a run is cut off only
  ///     after all bodies that can end have ended. If `true`, the run must have variables for
  ///     cancellations.
  /// - Throws: `DiagramLimitReached` if the outcomes of pebbles are unknown.
  init(
    _ run: inout SymbolicRun, _ rule: Rule, isAnytime: Bool
  ) throws(DiagramLimitReached) {
    let network = run.model.pond.network
    self.rule = rule
    self.isAnytime = isAnytime
    isTrue = Array(repeating: .never, count: network.rowCount)
    isFalse = isTrue
    started = Array(repeating: .never, count: network.pebbleCount)
    succeeded = started
    stalled = started
    progress = try run.progressInTheEnd()
    progress.failed = started
    progress.skipped = progress.disabled
    hasStalls = run.hasStalls
    hasLate = isAnytime && hasStalls && rule == .unhandledFailure
  }

  /// The outcome of each pebble if the run is cut off.
  var pebbles: [SymbolicPebble?] {
    started.indices.map { pebble in
      var ending = SymbolicPebble()
      ending.ran = started[pebble]
      ending.skipped = !started[pebble]
      ending.failed = progress.failed[pebble]
      ending.succeeded = succeeded[pebble]
      ending.stalled = stalled[pebble]
      ending.disabled = progress.disabled[pebble]
      return ending
    }
  }

  /// Computes how far each run gets before it is cut off.
  mutating func settle(_ run: inout SymbolicRun) throws(DiagramLimitReached) {
    try propagate(&run)
    while hasStalls {
      let earlier = progress.failed
      let isAtRest = try restingPlace(&run)
      guard try settleStall(where: isAtRest, &run) else { break }
      if rule == .unhandledFailure {
        let isUnhandled = try run.unhandledFailure(progress)
        isHalted = try run.diagram.or(isHalted, run.diagram.and(isAtRest, isUnhandled))
      }
      isStarting = true
      try propagate(&run)
      try noteOrder(of: earlier, after: isAtRest, &run)
    }
    try end(&run)
  }

  private mutating func unhandledFailure(
    _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> BooleanFunction {
    rule == .unhandledFailure ? try run.unhandledFailure(progress) : .never
  }

  /// Returns the scenarios where nothing is ready, all bodies have ended, and no failure has cut
  /// the run off. Updates `wasUnhandled` as well.
  private mutating func restingPlace(
    _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) -> BooleanFunction {
    wasUnhandled = try unhandledFailure(&run)
    var parts = [!isHalted, !wasUnhandled]
    for pebble in started.indices {
      guard let ending = run.pebbles[pebble] else { throw DiagramLimitReached() }
      let isReady = try run.diagram.and(ending.ran, isTrue[pebble])
      let hasEnded = try run.diagram.or(succeeded[pebble], progress.failed[pebble])
      parts.append(!(try run.diagram.and(isReady, !hasEnded)))
    }
    return try run.diagram.all(parts)
  }

  /// Records whether the order in which bodies end affects which bodies start.
  private mutating func noteOrder(
    of earlier: [BooleanFunction], after rest: BooleanFunction, _ run: inout SymbolicRun
  ) throws(DiagramLimitReached) {
    guard rule == .unhandledFailure, !isAnytime else { return }
    var before = progress
    before.failed = earlier
    let isUnhandled = try run.unhandledFailure(before)
    let isOpen = try run.diagram.all([rest, !isHalted, isUnhandled])
    if isOpen != .never { dependsOnOrder = true }
  }

  /// Lets the late bodies end, and computes the scenarios where the run is cut off.
  private mutating func end(_ run: inout SymbolicRun) throws(DiagramLimitReached) {
    switch rule {
    case .anyFailure: isCut = try run.diagram.any(progress.failed)
    case .unhandledFailure:
      guard hasLate else {
        isCut = try run.unhandledFailure(progress)
        return
      }
      (isStarting, isEnding) = (false, true)
      try propagate(&run)
      let isUnhandled = try run.unhandledFailure(progress)
      isCut = try run.diagram.or(isHalted, run.diagram.and(isUnhandled, !wasUnhandled))
    }
  }
}
