import Synchronization

/// The states, outputs and errors of the pebbles in one run. Bodies and teardowns read their inputs
/// from this object.
///
/// The class is `Sendable` without locks around outputs, for the same reason as `ReadinessState`.
/// The runner of a pebble writes the pebble's slot once, before the pebble settles. Other code
/// reads the slot only after observing that the pebble has settled.
package final class RunValues: @unchecked Sendable {
  package let names: StableSlice<String>
  package let state: ReadinessState

  /// The output or error of each pebble. Memory is allocated only when the first output or error is
  /// stored, because many runs have none.
  private let payloads = Atomic<UnsafeMutablePointer<AnyOutput?>?>(nil)

  /// The values that only a few pebbles have.
  private struct Rare {
    /// The completion of each callback pebble's latest attempt, keyed by pebble.
    var completions: [Int: CompletionState] = [:]

    /// The latest outputs of pebbles whose bodies were called again after a success: restarted
    /// services, and pebbles whose outputs were lost with an earlier process.
    var latestOutputs: [Int: AnyOutput?] = [:]
  }

  private let rare = Mutex(Rare())

  /// The values of earlier runs, keyed by the pebbles, such as services, that were kept from those
  /// runs and are still active there. The values include the latest output of a service.
  private let keptServices: [Int: RunValues]

  /// Whether latest outputs may be stored, here or in an earlier run. If `keptServices` is empty,
  /// the flag is set only after the first latest output has been stored, so code that finds the
  /// flag set also sees the output.
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

  /// Stores the result of a body: the returned value, or the thrown error in an `ErrorBox`. This
  /// method is called just before the pebble settles.
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

  /// Creates a completion for the next attempt of a pebble.
  func makeCompletion(
    at pebble: Int, undoing: (@Sendable () -> Void)? = nil
  ) -> CompletionState {
    rare.withLock { rare in
      let completion = CompletionState(following: rare.completions[pebble], undoing: undoing)
      rare.completions[pebble] = completion
      return completion
    }
  }

  /// Stores the latest output of a pebble whose body was called again after a success.
  func keepLatestOutput(_ output: AnyOutput?, of pebble: Int) {
    let last = rare.withLock { $0.latestOutputs.updateValue(output, forKey: pebble) }
    hasLatestOutputs.store(true, ordering: .releasing)
    // Released outside of the lock: it may hold user code.
    withExtendedLifetime(last) {}
  }

  // MARK: Reading

  /// Whether any pebble may have a latest output that replaces its first one.
  var mayHaveLatestOutputs: Bool { hasLatestOutputs.load(ordering: .acquiring) }

  /// Returns the completion for the latest attempt of a callback pebble; `nil` if no attempt was
  /// made.
  func completion(at pebble: Int) -> CompletionState? {
    rare.withLock { $0.completions[pebble] }
  }

  /// Returns the output of a pebble; `nil` if the pebble has not succeeded, or has no output of
  /// this type.
  func output<Output: Sendable>(at pebble: Int, as type: Output.Type) -> Output? {
    guard state.status(of: pebble) == .succeeded else { return nil }
    let payload = payload(of: pebble)
    if let output = payload.output(as: Output.self) { return output }
    return payload is MissingOutput ? latestOutput(of: pebble)?.output(as: Output.self) : nil
  }

  private func latestOutput(of pebble: Int) -> AnyOutput?? {
    rare.withLock { $0.latestOutputs[pebble] }
  }

  /// Returns whether the output of a succeeded pebble is missing in this process, because it was
  /// lost with an earlier process, could not be kept, or was torn down. The output is missing until
  /// it is produced again.
  func isMissing(_ pebble: Int) -> Bool { missingOutput(of: pebble) != nil }

  /// Returns the reason why the output of a succeeded pebble is missing; `nil` if the output is
  /// available, or if the pebble never had an output.
  package func missingOutput(of pebble: Int) -> MissingOutput? {
    guard let missing = payload(of: pebble) as? MissingOutput, latestOutput(of: pebble) == nil
    else { return nil }
    return missing
  }

  /// Returns the output of a succeeded pebble for use as an input of another body. If the body of
  /// the pebble was called again after its success, this is the latest output.
  func input<Output: Sendable>(from pebble: Int, as type: Output.Type) -> Output? {
    guard hasLatestOutputs.load(ordering: .acquiring) else { return output(at: pebble, as: type) }
    if let kept = keptServices[pebble] { return kept.input(from: pebble, as: type) }
    guard let latest = latestOutput(of: pebble) else {
      return output(at: pebble, as: type)
    }
    return latest.output(as: type)
  }

  /// Returns the value that the body of a succeeded pebble returned, to be passed to the teardown;
  /// `nil` if there is no such value, or if the pebble has not succeeded.
  func payload(at pebble: Int) -> AnyOutput? {
    guard state.status(of: pebble) == .succeeded else { return nil }
    let first = payload(of: pebble)
    return first is MissingOutput ? latestOutput(of: pebble) ?? nil : first
  }

  func payload(of pebble: Int) -> AnyOutput? {
    payloads.load(ordering: .acquiring)?[pebble]
  }

  /// Returns the error of a pebble that has failed; `nil` for any other pebble.
  func error(at pebble: Int) -> (any Error)? {
    state.status(of: pebble) == .failed ? failure(at: pebble) : nil
  }

  /// Returns the error of a pebble whose body has failed. Unlike `error(at:)`, this method can be
  /// called before the pebble settles.
  func failure(at pebble: Int) -> any Error {
    guard let box = payload(of: pebble) as? ErrorBox else {
      preconditionFailure("pebble \(pebble) failed without an error")
    }
    return box.error
  }

  /// Returns the outcome of a pebble; `nil` if it has not settled.
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
