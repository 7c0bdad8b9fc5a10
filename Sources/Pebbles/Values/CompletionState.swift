import Synchronization

/// The meeting point of a callback and the runner that waits for it.
final class CompletionState: Sendable {
  typealias Outcome = Result<Void, any Error>

  private let promise = Promise<Outcome>()
  private let ignored = Atomic(0)

  /// The completion of the first attempt, which counts for all; `nil` in itself.
  private let first: CompletionState?

  /// What is told the outcome instead of a runner that waits for it.
  private let completed: (@Sendable (Outcome) -> Void)?

  /// What undoes a success that comes after the run has given the callback up; `nil` once that
  /// cannot be any more.
  private let undoing: Mutex<(@Sendable () -> Void)?>
  private let isGivenUp = Atomic(false)

  /// - Parameters:
  ///   - earlier: The completion of the attempt before, if there was one.
  ///   - undoing: Called once if it succeeds after the run has given it up.
  init(following earlier: CompletionState? = nil, undoing: (@Sendable () -> Void)? = nil) {
    first = earlier?.first ?? earlier
    completed = nil
    self.undoing = Mutex(undoing)
  }

  init(_ completed: @escaping @Sendable (Outcome) -> Void) {
    first = nil
    self.completed = completed
    undoing = Mutex(nil)
  }

  /// How many calls, in all attempts, came after the one that decided.
  var ignoredCalls: Int { (first ?? self).ignored.load(ordering: .relaxed) }

  /// Calls `body` with a completion and waits until both have ended.
  func outcome(of body: @Sendable (Completion) async throws -> Void) async throws {
    await call(body)
    // A cancelled run does not wait for a callback that may never come.
    try await withTaskCancellationHandler {
      await promise.value()
    } onCancel: {
      giveUp(CancellationError())
    }.get()
  }

  private func call(_ body: @Sendable (Completion) async throws -> Void) async {
    let completion = Completion(self)
    do {
      try await body(completion)
    } catch {
      complete(.failure(error))
    }
    // Dropped only now: an error thrown must not look like a completion abandoned.
    withExtendedLifetime(completion) {}
  }

  /// A call by the user: decides, or is counted.
  func complete(_ outcome: Outcome) {
    if settle(outcome) { return forgetUndoing() }
    (first ?? self).ignored.add(1, ordering: .relaxed)
    guard case .success = outcome, isGivenUp.load(ordering: .acquiring) else { return }
    undoing.withLock { $0.take() }?()
  }

  /// The last copy of the completion has gone away: there will be no other call.
  func abandon() {
    settle(.failure(CompletionError.abandoned))
    forgetUndoing()
  }

  /// It holds the run and code of the user, which must not live as long as the report.
  private func forgetUndoing() {
    let unneeded = undoing.withLock { $0.take() }
    withExtendedLifetime(unneeded) {}
  }

  /// The run waits no longer: a success that comes after all is undone.
  func giveUp(_ error: any Error) {
    // First, lest a call in between find it settled and not given up.
    isGivenUp.store(true, ordering: .releasing)
    settle(.failure(error))
  }

  /// Decides the outcome unless that has happened.
  ///
  /// - Returns: Whether this call decided it.
  @discardableResult
  func settle(_ outcome: Outcome) -> Bool {
    let isFirst = promise.fulfill(outcome)
    if isFirst { completed?(outcome) }
    return isFirst
  }
}
