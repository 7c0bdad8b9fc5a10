/// Drives a run for callers that say themselves how bodies end: a simulation, a replay,
/// the scheduler of runs that are driven from elsewhere.
///
/// ```
///              takeReady()        start(_:at:)        end(_:succeeded:cases:at:)
///   waiting ──────────────▶ taken ────────────▶ running ────────────▶ settled
///      │                      └─────── holderStuck(_:heldFrom:at:) ──────▲
///      └────────── by its condition, or by settleAtRest(_:at:) ──────────┘
/// ```
///
/// The caller takes what is ready, starts it and says what has ended; when nothing is ready and
/// nothing runs, it has settled what only rest decides; and so on until the run is finished. The
/// same calls in the same order always have the same consequences.
///
/// The runtime has a way of its own for pebbles that become ready, because its runners share the
/// state. What rest decides it leaves to `ReadinessState.settleAtRest`, as the driver does.
package struct ReadinessDriver {
  package let state: ReadinessState

  /// Who goes first, and under which limits; `nil` if each may start at once.
  private var admission: AdmissionQueue?

  /// The pebbles that do not start even when they are ready, because of a cancellation to come.
  private let withheld: Set<Int>

  /// All pebbles before this one have settled, or are withheld.
  private var firstToWaitFor = 0

  private var decisions = Decisions()

  /// Where there is no admission: those that became ready together, the last to be taken first.
  private var batch: [UInt32] = []

  /// Whether nothing starts any more.
  private var isCancelled = false

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - state: Nothing must have happened in it.
  ///   - admission: Who goes first, and under which limits; if `nil`, each pebble may start at
  ///     once, and those that become ready together are taken in definition order.
  ///   - known: What is known as the run begins.
  ///   - withheld: Pebbles that do not start even when they are ready. The run is cancelled as soon
  ///     as nothing can happen any more but to them.
  ///   - listsSkipped: Whether the caller asks which pebbles were skipped.
  package init(
    _ state: ReadinessState, _ admission: AdmissionQueue? = nil,
    knowing known: KnownOutcomes = KnownOutcomes(), withholding withheld: Set<Int> = [],
    listsSkipped: Bool = false
  ) {
    self.state = state
    self.admission = admission
    self.withheld = withheld
    decisions.listsSkipped = listsSkipped
    state.begin(knowing: known, into: &decisions)
  }

  /// How many pebbles have settled.
  package var settledCount: Int { decisions.settledCount }

  /// Whether all have.
  package var isFinished: Bool { settledCount == state.network.pebbleCount }

  // MARK: What happens to pebbles

  /// Takes the pebble that is to start next of those that may start now.
  ///
  /// - Returns: The pebble. It has its share of the limits until it has ended. `nil` if none may
  ///   start before something else happens.
  package mutating func takeReady() -> Int? {
    guard !isCancelled else { return nil }
    if !withheld.isEmpty { decisions.ready.removeAll { withheld.contains(Int($0)) } }
    guard admission == nil else {
      admission?.add(decisions.ready)
      decisions.ready.removeAll(keepingCapacity: true)
      return admission?.take().map(Int.init)
    }
    if batch.isEmpty, !decisions.ready.isEmpty {
      swap(&batch, &decisions.ready)
      batch.sort(by: >)
    }
    return batch.popLast().map(Int.init)
  }

  /// Takes the pebbles that have been skipped since this was last asked, in order.
  package mutating func takeSkipped() -> [UInt32] {
    defer { decisions.skipped.removeAll(keepingCapacity: true) }
    return decisions.skipped
  }

  /// The body of a pebble that was taken is called.
  package func start(_ pebble: Int, at time: UInt64) {
    state.pebbleStarted(pebble, at: time)
  }

  /// The body of a pebble has ended.
  package mutating func end(
    _ pebble: Int, succeeded: Bool, cases: CaseSet = CaseSet(), at time: UInt64
  ) {
    admission?.release(UInt32(pebble))
    state.pebbleFinished(pebble, succeeded: succeeded, cases: cases, at: time, into: &decisions)
  }

  /// A pebble that was taken does not start, for what it needs is never given back. The run must be
  /// at rest.
  package mutating func holderStuck(_ holder: Int, heldFrom pebble: Int, at time: UInt64) {
    state.holderStuck(holder, heldFrom: pebble, at: time, into: &decisions)
  }

  // MARK: Rest

  /// Starts nothing more. What has not started is skipped once the run is at rest.
  package mutating func cancel() { isCancelled = true }

  /// Settles what only rest decides: nothing is ready, and nothing runs. That may let others start.
  ///
  /// A cancellation takes all that is left in one step. So what stalls does that before the run is
  /// cancelled for those that are withheld.
  package mutating func settleAtRest(
    _ operands: @autoclosure () -> OperandIndex, at time: UInt64
  ) {
    if isOnlyWithheldLeft() { cancel() }
    let hasSettled = state.settleAtRest(
      operands(), isCancelled: isCancelled, at: time, into: &decisions)
    guard !hasSettled, !isCancelled else { return }
    // What is left waits for pebbles that could have started, and did not.
    precondition(isAnyHeldBack, "a stall was not resolved")
    cancel()
    state.settleAtRest(operands(), isCancelled: true, at: time, into: &decisions)
  }

  private mutating func isOnlyWithheldLeft() -> Bool {
    guard !withheld.isEmpty else { return false }
    let count = state.network.pebbleCount
    while firstToWaitFor < count,
      withheld.contains(firstToWaitFor) || state.status(of: firstToWaitFor).isSettled
    {
      firstToWaitFor += 1
    }
    return firstToWaitFor == count
  }

  private var isAnyHeldBack: Bool {
    (0..<state.network.pebbleCount).contains {
      state.status(of: $0) == .waiting && state.value(ofGate: $0) == true
    }
  }
}
