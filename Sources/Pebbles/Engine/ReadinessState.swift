import Synchronization

/// The progress of one run: the countdown of every gate and the outcome of every pebble.
///
/// Only this type uses atomics for the graph. Atomics suffice, for the following reasons:
///
/// - **Ownership.** A pebble's record (`started`, `finished`, `decider`) is written by the runner
///   that decides its root gate, and then by the runner that runs the pebble. The gate's counter
///   hands out the record exactly once, so the record has one writer at any time. The same is true
///   of the notes of an inner gate.
/// - **Counting down.** Each operand of a gate arrives once. An arrival is a read-modify-write with
///   acquire and release or, for the last operand, an acquiring load and a store. The arrivals form
///   one release sequence per counter, so the arrival that decides a gate sees everything that the
///   runners of all earlier operands wrote. A pebble that starts therefore sees the records and
///   outputs that it waited for.
/// - **Deciders.** The runner that decides a gate notes the operand before it passes the decision
///   on. A reader that sees a settled pebble therefore also sees the notes of all gates that
///   decided the pebble. If such a gate needed all its operands, they arrived earlier, so the
///   reader also sees their notes. Other readers, such as a picture of a run under way or a caller
///   that asks for the goal, may read a gate that is decided but has no note yet. To ensure that
///   they see either no decider, or a decider together with its cause, `decider` is stored with
///   release after `cause`, and loaded with acquire.
/// - **Times.** One runner may read the clock before another and still arrive after it. Therefore,
///   each operand of a gate notes the pebble that settled last by the clock (`latest`), and then
///   counts down. The operand that decides the gate passes on the later of that note and its own
///   pebble. The note is compared and exchanged with acquire and release, because the time of the
///   pebble is read through it. A neutral operand that arrives while a dominant one decides may
///   still leave its note at the root of a ready pebble. Even then, the time of that note is in the
///   past.
/// - **Reading outcomes.** `status` is stored with release when a record is complete, and loaded
///   with acquire. A reader that sees the outcome also sees the record.
/// - **Rest.** `resolveStall`, `cancelRemaining` and `holderStuck` need the run to be at rest: no
///   runner is inside the state, and none can enter it. The runtime ensures this by counting the
///   runners.
///
/// When called from one thread, as in the tests, the state is an ordinary deterministic machine.
package final class ReadinessState: @unchecked Sendable {
  package let network: ReadinessNetwork

  // Bare pointers to the parts of the network that every settling needs. They save reference
  // counting and bounds checks for every edge. See `FlatArray`.
  let pebbleCount: Int
  let hasCases: Bool
  let offsets: UnsafeMutablePointer<UInt32>
  let edges: UnsafeMutablePointer<Edge>

  let pebbles: UnsafeMutablePointer<PebbleState>
  let innerGates: UnsafeMutablePointer<InnerGate>

  /// The lists of awaited pebbles, one for each stalled pebble. The `started` field of a stalled
  /// pebble's record is the position of its list. A reader that sees the skip can therefore find
  /// the list, even while the run is under way.
  private let stalls = StableList<[UInt32]>()

  /// The gate of the run's goal; `nil` if the run has no goal.
  package let goal: Int?

  /// The log of the order in which the pebbles settle; `nil` unless the state was created with
  /// `ordersSettling`.
  package let settleLog: SettleLog?

  package init(_ network: ReadinessNetwork, goal: Int? = nil, ordersSettling: Bool = false) {
    self.network = network
    self.goal = goal
    settleLog = ordersSettling ? SettleLog(network) : nil
    pebbleCount = network.pebbleCount
    hasCases = !network.cases.isEmpty
    offsets = network.offsets.elements
    edges = network.edges.elements
    pebbles = .allocate(capacity: network.pebbleCount)
    innerGates = .allocate(capacity: network.rowCount - network.pebbleCount)

    network.operandCounts.withUnsafeBufferPointer { counts in
      for pebble in 0..<network.pebbleCount {
        (pebbles + pebble).initialize(to: PebbleState(operandCount: counts[pebble]))
      }
      for gate in network.pebbleCount..<network.rowCount {
        (innerGates + (gate - network.pebbleCount)).initialize(
          to: InnerGate(operandCount: counts[gate]))
      }
    }
  }

  /// Records the pebbles that a stalled pebble waited for. Called just before the stalled pebble is
  /// skipped. The run must be at rest.
  func pebbleStalled(_ pebble: Int, waitingOn awaited: [UInt32]) {
    pebbles[pebble].started = UInt64(stalls.count)
    stalls.append(awaited)
  }

  /// Returns the pebbles that a stalled pebble was waiting for, limited to a hundred.
  package func stall(of pebble: Int) -> [Int] {
    assert(status(of: pebble) == .skippedByStall, "pebble \(pebble) has not stalled")
    return stalls.address(of: Int(pebbles[pebble].started)).pointee.map(Int.init)
  }

  deinit {
    // The records need no deinitialization.
    pebbles.deallocate()
    innerGates.deallocate()
  }
}

/// The record of one pebble in one run. It occupies only 32 bytes, so that settling a pebble
/// touches little memory.
///
/// If the pebble was started or skipped because of its condition, `decider` is the operand that
/// decided the condition, or `none` if the condition was constant. If the pebble was skipped for
/// another reason, `status` gives the reason.
struct PebbleState: ~Copyable {
  var started: UInt64 = 0
  var finished: UInt64 = 0

  /// The counter of the root gate; see `GateCounter`.
  let remaining: Atomic<UInt32>

  /// The row of the operand that decided the root gate. If the pebble was skipped because a service
  /// stays down, or because another pebble may never release a resource, the value is the row of
  /// that service or other pebble.
  let decider = Atomic<UInt32>(Self.none)

  /// The pebble that settled last by the clock among those that decided the root gate. While the
  /// gate is undecided, only the outcomes that have arrived count. The pebble of this record became
  /// ready, or was skipped by its condition, at the time when `latest` settled.
  let latest = Atomic<UInt32>(Self.none)

  let status = Atomic<UInt8>(PebbleStatus.waiting.rawValue)

  init(operandCount: UInt32) {
    remaining = Atomic(operandCount)
  }

  static let none = UInt32.max
}

/// The record of one inner gate in one run. It occupies 16 bytes.
struct InnerGate: ~Copyable {
  /// The counter of the gate; see `GateCounter`.
  let remaining: Atomic<UInt32>

  /// The pebble that settled last by the clock among those whose outcomes have arrived at the gate;
  /// see `PebbleState`.
  let latest = Atomic<UInt32>(PebbleState.none)

  /// The row of the operand that decided the gate.
  let decider = Atomic<UInt32>(PebbleState.none)

  /// The pebble that decided the gate when it settled. It is stored because the chain of deciders
  /// that leads to it may be long.
  var cause = PebbleState.none

  init(operandCount: UInt32) {
    remaining = Atomic(operandCount)
  }
}

extension ReadinessState {
  /// Sets the status of a pebble without updating the conditions that depend on it. Call this only
  /// for a state in which no conditions are decided.
  func assume(_ status: PebbleStatus, of pebble: Int) {
    assert(self.status(of: pebble) == .waiting, "pebble \(pebble) has an outcome already")
    pebbles[pebble].status.store(status.rawValue, ordering: .releasing)
  }
}
