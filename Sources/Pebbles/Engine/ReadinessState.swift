import Synchronization

/// How far one run has come: for every gate what it still waits for, for every pebble how it ended.
///
/// What uses atomics for the graph itself is this type alone; here is why they are enough.
///
/// - **Who writes what.** A pebble's record (`started`, `finished`, `decider`) is written by the
///   runner that decided its root gate, then by the runner that runs it. The gate's counter hands
///   it out exactly once, so there is one writer at any time. The same goes for what an inner gate
///   notes.
/// - **Counting down.** Each operand of a gate arrives once. Arrivals are read-modify-writes with
///   acquire and release, or an acquiring load that finds itself to be the last. They form one
///   release sequence per counter, so the arrival that decides a gate sees everything that the
///   runners of all earlier operands wrote: a pebble that starts sees the records and outputs it
///   waited for.
/// - **Who decided.** The runner that decides a gate notes the operand before it sends on what
///   follows. So whoever sees that a pebble has settled sees the notes of all gates that decided
///   it: those on the way, and for a gate that needed all its operands those of all of them, which
///   arrived there before. Who asks for a gate without that, as a picture of a run under way does
///   and whoever asks for the goal, may come between the decision and the note. So `decider` is
///   stored with release, after the `cause`, and loaded with acquire: there is none yet, or there
///   is all that it stands for.
/// - **Times.** One runner reads the clock before another and may still arrive after it. So the
///   operands of a gate leave a note of the pebble that settled last by the clock (`latest`) before
///   they count down, and the one that decides the gate hands on the later of that and its own. The
///   note is compared and exchanged with acquire and release, as the time of the pebble is read
///   through it. A neutral operand that arrives while a dominant one decides may still leave its
///   note at the root of a pebble that is ready: its time has then passed all the same.
/// - **Reading outcomes.** `status` is stored with release when a record is complete and loaded
///   with acquire; a reader that sees the outcome sees the record behind it.
/// - **The rest** (`resolveStall`, `cancelRemaining`) needs the run to be at rest: no runner is
///   inside the state or can enter it. The runtime proves that with its count of runners.
///
/// Called from one thread, as the tests do, the state is an ordinary deterministic machine.
package final class ReadinessState: @unchecked Sendable {
  package let network: ReadinessNetwork

  // What every settling needs of the network, as bare pointers: that saves counting references to
  // the arrays, and checking bounds, for every edge. See `FlatArray`.
  let pebbleCount: Int
  let hasCases: Bool
  let offsets: UnsafeMutablePointer<UInt32>
  let edges: UnsafeMutablePointer<Edge>

  let pebbles: UnsafeMutablePointer<PebbleState>
  let innerGates: UnsafeMutablePointer<InnerGate>

  /// What stalled pebbles waited for. Their records have the places, in `started`: so who has seen
  /// that one is skipped finds its waits, also while the run goes on.
  private let stalls = StableList<[UInt32]>()

  /// The gate that says what the run is for; `nil` if its pond does not, or if the run leaves out a
  /// pebble that this mentions.
  package let goal: Int?

  /// In which order everything settles, for a replay.
  package let settleLog: SettleLog?

  package init(
    _ network: ReadinessNetwork, ordersSettling: Bool = false, asksGoal: Bool = true
  ) {
    self.network = network
    goal = asksGoal ? network.goal : nil
    settleLog = ordersSettling ? SettleLog(network) : nil
    pebbleCount = network.pebbleCount
    hasCases = !network.cases.isEmpty
    offsets = network.offsets.elements
    edges = network.edges.elements
    pebbles = .allocate(capacity: network.pebbleCount)
    innerGates = .allocate(capacity: network.gateCount - network.pebbleCount)

    network.operandCounts.withUnsafeBufferPointer { counts in
      for pebble in 0..<network.pebbleCount {
        (pebbles + pebble).initialize(to: PebbleState(operandCount: counts[pebble]))
      }
      for gate in network.pebbleCount..<network.gateCount {
        (innerGates + (gate - network.pebbleCount)).initialize(
          to: InnerGate(operandCount: counts[gate]))
      }
    }
  }

  /// A pebble is about to be skipped in a stall. The run must be at rest.
  func pebbleStalled(_ pebble: Int, waitingOn awaited: [UInt32]) {
    pebbles[pebble].started = UInt64(stalls.count)
    stalls.append(awaited)
  }

  /// The pebbles that a stalled pebble was waiting for, the first hundred.
  package func stall(of pebble: Int) -> [Int] {
    assert(status(of: pebble) == .skippedByStall, "pebble \(pebble) has not stalled")
    return stalls.address(of: Int(pebbles[pebble].started)).pointee.map(Int.init)
  }

  deinit {
    // Nothing in the records needs to be deinitialized.
    pebbles.deallocate()
    innerGates.deallocate()
  }
}

/// One pebble in one run. 32 bytes, so that settling a pebble touches one cache line of its own.
///
/// Each way in which a pebble can be decided has its own mark. By its condition: the `decider`, or
/// none where that was constant. By a stall, by cancellation, by a holder, and of one that is
/// disabled: its `status`.
struct PebbleState: ~Copyable {
  var started: UInt64 = 0
  var finished: UInt64 = 0

  /// The counter of the root gate, see `GateCounter`.
  let remaining: Atomic<UInt32>

  /// The row of the operand that decided the root gate; of a pebble that is skipped because of what
  /// another one holds, that one.
  let decider = Atomic<UInt32>(Self.none)

  /// The pebble that settled last by the clock of those that decided the root gate, or have arrived
  /// there so far: it became ready, or was skipped, when that one settled.
  let latest = Atomic<UInt32>(Self.none)

  let status = Atomic<UInt8>(PebbleStatus.waiting.rawValue)

  init(operandCount: UInt32) {
    remaining = Atomic(operandCount)
  }

  static let none = UInt32.max
}

/// One inner gate in one run. 16 bytes.
struct InnerGate: ~Copyable {
  /// The counter, see `GateCounter`.
  let remaining: Atomic<UInt32>

  /// As in `PebbleState`.
  let latest = Atomic<UInt32>(PebbleState.none)

  /// The row of the operand that decided the gate.
  let decider = Atomic<UInt32>(PebbleState.none)

  /// The pebble whose settling did. It follows from the deciders, but a chain of gates may be long.
  var cause = PebbleState.none

  init(operandCount: UInt32) {
    remaining = Atomic(operandCount)
  }
}
