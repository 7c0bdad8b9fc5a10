/// A driver for runs in which the caller decides how each body ends. Simulations, replays and
/// `Scheduler` use this driver.
///
/// ```
///              takeReady()        start(_:at:)        end(_:succeeded:cases:at:)
///   waiting ──────────────▶ taken ────────────▶ running ────────────▶ settled
///      │                      └─────── holderStuck(_:heldFrom:at:) ──────▲
///      └────────── by its condition, or by settleAtRest(_:at:) ──────────┘
/// ```
///
/// The caller takes ready pebbles, starts them and reports their ends. When nothing is ready and
/// nothing runs, it calls `settleAtRest(_:at:)`, and then continues until the run is finished. The
/// same calls in the same order always have the same consequences.
///
/// The runtime takes ready pebbles differently, because its runners share the state. At rest, it
/// uses `ReadinessState.settleAtRest`, as the driver does.
package struct ReadinessDriver {
  package let state: ReadinessState

  /// The order and the limits of admission; `nil` if each pebble may start immediately.
  private var admission: AdmissionQueue?

  /// The pebbles that are not started even if they become ready. Once nothing else can happen, the
  /// run is cancelled.
  private let withheld: Set<Int>

  /// The position of the first pebble that is not yet known to be settled or withheld.
  private var firstToWaitFor = 0

  private var decisions = Decisions()

  /// The pebbles that became ready together, in reverse order, so that the last one is taken next.
  /// Used only if `admission` is `nil`.
  private var batch: [UInt32] = []

  /// Whether the run has been cancelled. After that, no further pebble starts.
  private var isCancelled = false

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - state: A state that has not begun yet.
  ///   - admission: The order and the limits of admission. If `nil`, each pebble may start
  ///     immediately, and pebbles that become ready together are taken in definition order.
  ///   - known: The outcomes known when the run begins.
  ///   - withheld: Pebbles that are not started even if they become ready. The run is cancelled as
  ///     soon as nothing else can happen.
  ///   - listsSkipped: Whether skipped pebbles are listed for `takeSkipped()`.
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

  /// The number of settled pebbles.
  package var settledCount: Int { decisions.settledCount }

  /// Whether all pebbles have settled.
  package var isFinished: Bool { settledCount == state.network.pebbleCount }

  // MARK: What happens to pebbles

  /// Takes the next pebble that may start now. Until the pebble ends, it keeps the resources that
  /// it uses, and its place among the running pebbles.
  ///
  /// - Returns: The pebble, or `nil` if no pebble may start at present.
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

  /// Returns the pebbles that were skipped since the last call, in the order in which they were
  /// skipped.
  package mutating func takeSkipped() -> [UInt32] {
    defer { decisions.skipped.removeAll(keepingCapacity: true) }
    return decisions.skipped
  }

  /// Marks a taken pebble as running.
  package func start(_ pebble: Int, at time: UInt64) {
    state.pebbleStarted(pebble, at: time)
  }

  /// Settles a running pebble whose body has ended.
  package mutating func end(
    _ pebble: Int, succeeded: Bool, cases: CaseSet = CaseSet(), at time: UInt64
  ) {
    admission?.release(UInt32(pebble))
    state.pebbleFinished(pebble, succeeded: succeeded, cases: cases, at: time, into: &decisions)
  }

  /// Skips a pebble that cannot start because of `holder`. The holder is either a service that
  /// stays down, or a pebble that may never release resources that the skipped pebble needs. The
  /// run must be at rest.
  package mutating func holderStuck(_ holder: Int, heldFrom pebble: Int, at time: UInt64) {
    state.holderStuck(holder, heldFrom: pebble, at: time, into: &decisions)
  }

  // MARK: Rest

  /// Cancels the run. No further pebble starts, and `settleAtRest(_:at:)` skips all pebbles that
  /// have not started.
  package mutating func cancel() { isCancelled = true }

  /// Settles the pebbles that can be decided only when nothing is ready and nothing runs. This may
  /// make other pebbles ready.
  ///
  /// A cancellation skips all remaining pebbles in one step. Therefore, stalls are resolved before
  /// the withheld pebbles cause the run to be cancelled.
  package mutating func settleAtRest(
    _ operands: @autoclosure () -> OperandIndex, at time: UInt64
  ) {
    if isOnlyWithheldLeft() { cancel() }
    let hasSettled = state.settleAtRest(
      operands(), isCancelled: isCancelled, at: time, into: &decisions)
    guard !hasSettled, !isCancelled else { return }
    // The remaining pebbles wait for pebbles that could have started but were held back.
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
