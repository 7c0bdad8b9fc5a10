import Synchronization

/// Everything one run produces: the state of the network and, by pebble, outputs and errors.
/// Runners write it; the report keeps it.
///
/// `Sendable` without locks for the same reason as `ReadinessState`: the slot of a pebble is
/// written once, by the runner that runs it, before it settles there; it is read only by those who
/// have seen that it did.
package final class RunStorage: @unchecked Sendable {
  package let pond: CompiledPond
  package let state: ReadinessState
  private let payloads: UnsafeMutablePointer<AnyOutput?>

  /// The completions of pebbles with a callback, to count calls that came too late.
  private let completions = Mutex<[Int: CompletionState]>([:])

  init(_ pond: CompiledPond) {
    self.pond = pond
    state = ReadinessState(pond.network)
    payloads = .allocate(capacity: pond.network.pebbleCount)
    payloads.initialize(repeating: nil, count: pond.network.pebbleCount)
  }

  deinit {
    payloads.deinitialize(count: pond.network.pebbleCount)
    payloads.deallocate()
  }

  func setPayload(_ payload: AnyOutput, at pebble: Int) {
    payloads[pebble] = payload
  }

  func setCompletion(_ completion: CompletionState, at pebble: Int) {
    completions.withLock { $0[pebble] = completion }
  }

  /// How often the completion of a pebble was called after it had decided, up to now.
  func ignoredCompletions(at pebble: Int) -> Int {
    completions.withLock { $0[pebble] }?.ignoredCalls ?? 0
  }

  /// The output of a pebble that has succeeded; `nil` for any other.
  func output<Output: Sendable>(at pebble: Int, as type: Output.Type) -> Output? {
    guard state.status(of: pebble) == .succeeded else { return nil }
    guard let payload = payloads[pebble] else { return () as? Output }
    return (payload as? OutputBox<Output>)?.output
  }

  /// The error of a pebble that has failed; `nil` for any other.
  func error(at pebble: Int) -> (any Error)? {
    guard state.status(of: pebble) == .failed else { return nil }
    guard let box = payloads[pebble] as? ErrorBox else {
      preconditionFailure("pebble \(pebble) failed without an error")
    }
    return box.error
  }

  /// How a pebble ended, or `nil` while it has not.
  func outcome(at pebble: Int) -> Outcome? {
    switch state.status(of: pebble) {
    case .waiting, .running:
      nil
    case .succeeded:
      .succeeded
    case .failed:
      error(at: pebble).map(Outcome.failed)
    case .skippedByCondition:
      .skipped(.conditionFalse(decidedBy: state.cause(of: pebble).map { pond.graph.names[$0] }))
    case .skippedByStall:
      .skipped(.stalled(waitingOn: stall(at: pebble).map { pond.graph.names[$0] }))
    case .skippedByPredicate:
      .skipped(.predicateNeverHeld)
    case .skippedByCancellation:
      .skipped(.cancelled)
    }
  }

  /// What a stalled pebble was waiting for.
  package func stall(at pebble: Int) -> [Int] {
    state.stalls[UInt32(pebble), default: []].map(Int.init)
  }
}
