import Pebbles

/// Runs that a failure cuts off, in all scenarios at once, and at whatever moment.
///
/// Kleene's tables are monotone, and what stalls does so whatever the schedule. So how pebbles end
/// is taken from the run that goes on to its end, and only how far a run gets has to be found out:
/// from one stall to the next.
///
/// A stall is settled when a run is *at rest*: nothing is ready, and all that has started has
/// ended. By then every failure has been looked at. So a failure that is unhandled cuts the run off
/// before the next stall; and where settling a stall leaves one unhandled, nothing starts any more
/// that became ready in it. Between two stalls the moment of the cut is free, within what the order
/// of ends allows: some pebbles are *caught*, being ready; some are *late*, having started and not
/// ended. Without the late ones all failures are handled or may still be, and with them one is not.
///
/// The late ones make a difference only to failures from before a stall. One that comes after all
/// stalls, and that nothing handles, can always come last: what depended on it would handle it. So
/// in ponds without cycles there are none.
struct CutOff {
  /// What cuts a run off.
  enum Rule {
    case unhandledFailure
    /// Any failure may do so.
    case anyFailure
  }

  private let rule: Rule

  /// Whether runs are cut off at any moment, and not only once all that can has ended.
  let isAnytime: Bool

  private let hasStalls: Bool
  let hasLate: Bool

  /// By row: where it is known to be true, and to be false. Of pebbles: of their conditions.
  var isTrue: [BooleanFunction]
  var isFalse: [BooleanFunction]

  /// By pebble: where it has started.
  var started: [BooleanFunction]
  var succeeded: [BooleanFunction]
  var progress: SymbolicRun.Progress

  /// By pebble: where it has been skipped in a stall.
  var stalled: [BooleanFunction]

  /// Whether pebbles start that become ready; not while a stall is settled.
  var isStarting = true

  /// Whether the late bodies have ended as well.
  var isEnding = false

  /// Where a stall has left a failure unhandled.
  private(set) var isHalted = BooleanFunction.never

  /// Where a failure was unhandled when the run came to rest, or when the late bodies had not
  /// ended yet.
  private(set) var wasUnhandled = BooleanFunction.never

  /// Where the run is cut off.
  private(set) var isCut = BooleanFunction.never

  /// Whether a failure from before a stall is unhandled after it, by how bodies end then: so which
  /// of these start depends on their order.
  private(set) var dependsOnOrder = false

  /// - Parameters:
  ///   - run: How runs end that go on.
  ///   - rule: What cuts a run off.
  ///   - isAnytime: Whether runs are cut off at any moment, for which the run needs variables, and
  ///     not only once all that can has ended.
  /// - Throws: `DiagramLimitReached` if it is unknown how pebbles end.
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

  /// How each pebble ends if the run is cut off.
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

  /// Finds out how far runs get.
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

  /// Where nothing is ready, all bodies have ended, and no failure has cut the run off.
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

  /// Whether the order in which bodies end decides which of them start.
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

  /// Lets the late bodies end, and finds out where that cuts the run off.
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
