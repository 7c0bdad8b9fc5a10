import Synchronization

/// What the pebbles of one run have come to: how far each is, what it returned or threw. Bodies
/// and teardowns read their inputs here.
///
/// `Sendable` without locks around outputs for the same reason as `ReadinessState`: the slot of a
/// pebble is written once, by the runner that runs it, before it settles there; it is read only by
/// those who have seen that it did.
package final class RunValues: @unchecked Sendable {
  package let names: StableSlice<String>
  package let state: ReadinessState

  /// Made with the first output or error: in many runs there is none.
  private let payloads = Atomic<UnsafeMutablePointer<AnyOutput?>?>(nil)

  /// What few pebbles have.
  private struct Rare {
    /// The completions of pebbles with a callback, each that of the latest attempt.
    var completions: [Int: CompletionState] = [:]

    /// What services have handed over that were called again, each the latest.
    var latestOutputs: [Int: AnyOutput?] = [:]
  }

  private let rare = Mutex(Rare())

  /// Where the latest output is of each service that was kept from an earlier run.
  private let keptServices: [Int: RunValues]

  /// Whether some service has been called again. Who is told of that sees what it handed over.
  private let hasLatestOutputs = Atomic(false)

  init(
    names: StableSlice<String>, _ state: ReadinessState, services keptServices: [Int: RunValues]
  ) {
    self.names = names
    self.state = state
    self.keptServices = keptServices
    if !keptServices.isEmpty { hasLatestOutputs.store(true, ordering: .releasing) }
  }

  deinit {
    guard let payloads = payloads.load(ordering: .acquiring) else { return }
    payloads.deinitialize(count: state.network.pebbleCount)
    payloads.deallocate()
  }

  // MARK: Writing

  /// Keeps what a body returned or, as an `ErrorBox`, threw; its pebble is about to settle.
  package func setPayload(_ payload: AnyOutput, at pebble: Int) {
    (payloads.load(ordering: .acquiring) ?? makePayloads())[pebble] = payload
  }

  private func makePayloads() -> UnsafeMutablePointer<AnyOutput?> {
    let made = UnsafeMutablePointer<AnyOutput?>.allocate(capacity: state.network.pebbleCount)
    made.initialize(repeating: nil, count: state.network.pebbleCount)
    let (isFirst, known) = payloads.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard !isFirst, let known else { return made }
    made.deallocate()
    return known
  }

  /// A completion for the next attempt of a pebble.
  func makeCompletion(
    at pebble: Int, undoing: (@Sendable () -> Void)? = nil
  ) -> CompletionState {
    rare.withLock { rare in
      let completion = CompletionState(following: rare.completions[pebble], undoing: undoing)
      rare.completions[pebble] = completion
      return completion
    }
  }

  /// Keeps what a service has handed over that was called again.
  func keepLatestOutput(_ output: AnyOutput?, of pebble: Int) {
    let last = rare.withLock { $0.latestOutputs.updateValue(output, forKey: pebble) }
    hasLatestOutputs.store(true, ordering: .releasing)
    // What it holds must not go under the lock.
    withExtendedLifetime(last) {}
  }

  // MARK: Reading

  /// The completion of the latest attempt of a pebble with a callback, if there was one.
  func completion(at pebble: Int) -> CompletionState? {
    rare.withLock { $0.completions[pebble] }
  }

  /// The output of a pebble that has succeeded; `nil` for any other.
  func output<Output: Sendable>(at pebble: Int, as type: Output.Type) -> Output? {
    guard state.status(of: pebble) == .succeeded else { return nil }
    let payload = payload(of: pebble)
    if let output = payload.output(as: Output.self) { return output }
    return payload is MissingOutput ? latestOutput(of: pebble)?.output(as: Output.self) : nil
  }

  private func latestOutput(of pebble: Int) -> AnyOutput?? {
    rare.withLock { $0.latestOutputs[pebble] }
  }

  /// Whether the output of a pebble that has succeeded died with an earlier process, and has not
  /// been made again.
  func isMissing(_ pebble: Int) -> Bool { missingOutput(of: pebble) != nil }

  /// Why the output of a pebble that has succeeded is not there; `nil` if it is, or was never.
  package func missingOutput(of pebble: Int) -> MissingOutput? {
    guard let missing = payload(of: pebble) as? MissingOutput, latestOutput(of: pebble) == nil
    else { return nil }
    return missing
  }

  /// The same for a body that is about to take it: of a service, what it has handed over last.
  func input<Output: Sendable>(from pebble: Int, as type: Output.Type) -> Output? {
    guard hasLatestOutputs.load(ordering: .acquiring) else { return output(at: pebble, as: type) }
    if let kept = keptServices[pebble] { return kept.input(from: pebble, as: type) }
    guard let latest = latestOutput(of: pebble) else {
      return output(at: pebble, as: type)
    }
    return latest.output(as: type)
  }

  /// What the body of a pebble returned that has succeeded, for its teardown.
  func payload(at pebble: Int) -> AnyOutput? {
    guard state.status(of: pebble) == .succeeded else { return nil }
    let first = payload(of: pebble)
    return first is MissingOutput ? latestOutput(of: pebble) ?? nil : first
  }

  func payload(of pebble: Int) -> AnyOutput? {
    payloads.load(ordering: .acquiring)?[pebble]
  }

  /// The error of a pebble that has failed; `nil` for any other.
  func error(at pebble: Int) -> (any Error)? {
    state.status(of: pebble) == .failed ? failure(at: pebble) : nil
  }

  /// The error of a pebble whose body has failed, for the runner that is about to settle it.
  func failure(at pebble: Int) -> any Error {
    guard let box = payload(of: pebble) as? ErrorBox else {
      preconditionFailure("pebble \(pebble) failed without an error")
    }
    return box.error
  }

  /// How a pebble ended, or `nil` while it has not.
  package func outcome(at pebble: Int) -> Outcome? {
    switch state.status(of: pebble) {
    case .waiting, .running: nil
    case .succeeded: .succeeded
    case .failed: error(at: pebble).map(Outcome.failed)
    case .skippedByCondition, .skippedByStall, .skippedByCancellation,
      .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
      ((payload(of: pebble) as? SkipReasonBox)?.reason ?? state.skipReason(of: pebble, names))
        .map(Outcome.skipped)
    }
  }
}
