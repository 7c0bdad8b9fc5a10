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

  /// What is known of single pebbles beyond outcome and times; most have none of it.
  private let notes = Mutex<[Int: Notes]>([:])

  struct Notes: Sendable {
    /// The completion of a pebble with a callback, in its latest attempt, to count calls that came
    /// too late.
    var completion: CompletionState?

    /// The attempts of a pebble that may be tried again.
    var attempts: [PebbleAttempt] = []

    /// How many bodies go on although their attempt is over.
    var lateBodies = 0

    /// How and when a service ended that had been ready.
    var serviceEnd: ServiceEnd?

    /// Reports of ponds that the body ran.
    var nested: [Report] = []
  }

  /// How many reports of nested runs a pebble keeps.
  private static let mostNested = 1000

  package init(_ pond: CompiledPond, ordersSettling: Bool = false) {
    self.pond = pond
    state = ReadinessState(pond.network, ordersSettling: ordersSettling)
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

  /// What a body threw that is about to settle its pebble, in a run that is only played.
  package func bodyFailed(with error: any Error, at pebble: Int) {
    setPayload(ErrorBox(error), at: pebble)
  }

  func notes(at pebble: Int) -> Notes? {
    notes.withLock { $0[pebble] }
  }

  /// A completion for the next attempt of a pebble.
  func makeCompletion(at pebble: Int) -> CompletionState {
    notes.withLock { notes in
      let completion = CompletionState(following: notes[pebble]?.completion)
      notes[pebble, default: Notes()].completion = completion
      return completion
    }
  }

  func addAttempt(
    _ started: UInt64, _ finished: UInt64, _ result: Result<AnyOutput?, any Error>, at pebble: Int
  ) {
    var error: (any Error)?
    if case .failure(let failure) = result { error = failure }
    let attempt = PebbleAttempt(
      started: started.asNanoseconds, finished: finished.asNanoseconds, error: error)
    notes.withLock { $0[pebble, default: Notes()].attempts.append(attempt) }
  }

  /// An attempt has timed out. Until `lateBodyEnded(at:)`, which may have come first, its body
  /// counts as running; calls of its completion come too late from now on.
  func bodyGoesOn(at pebble: Int, after timeout: PebbleTimeout) {
    let completion = notes.withLock { notes in
      notes[pebble, default: Notes()].lateBodies += 1
      return notes[pebble]?.completion
    }
    completion?.settle(.failure(timeout))
  }

  func lateBodyEnded(at pebble: Int) {
    notes.withLock { $0[pebble, default: Notes()].lateBodies -= 1 }
  }

  func serviceEnded(_ end: ServiceEnd, at pebble: Int) {
    notes.withLock { $0[pebble, default: Notes()].serviceEnd = end }
  }

  /// Keeps the report of a run inside of a body, unless the pebble has already settled: a service
  /// may run other ponds for as long as it lives.
  func addNested(_ report: Report, at pebble: Int) {
    guard !state.status(of: pebble).isSettled else { return }
    notes.withLock { notes in
      guard notes[pebble, default: Notes()].nested.count < Self.mostNested else { return }
      notes[pebble, default: Notes()].nested.append(report)
    }
  }

  /// The output of a pebble that has succeeded; `nil` for any other.
  func output<Output: Sendable>(at pebble: Int, as type: Output.Type) -> Output? {
    guard state.status(of: pebble) == .succeeded else { return nil }
    guard let payload = payloads[pebble] else { return () as? Output }
    return (payload as? OutputBox<Output>)?.output
  }

  /// The error of a pebble that has failed; `nil` for any other.
  func error(at pebble: Int) -> (any Error)? {
    state.status(of: pebble) == .failed ? failure(at: pebble) : nil
  }

  /// The error of a pebble whose body has failed, for the runner that is about to settle it.
  func failure(at pebble: Int) -> any Error {
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
    case .skippedByCondition, .skippedByStall, .skippedByPredicate, .skippedByCancellation,
      .skippedAsDisabled:
      state.skipReason(of: pebble, pond.graph).map(Outcome.skipped)
    }
  }

  /// What a stalled pebble was waiting for.
  package func stall(at pebble: Int) -> [Int] {
    state.stalls[UInt32(pebble), default: []].map(Int.init)
  }
}
