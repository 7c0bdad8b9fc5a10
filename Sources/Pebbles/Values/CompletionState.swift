import Synchronization

/// The state shared by a callback and the runner that waits for the callback.
final class CompletionState: Sendable {
  typealias Outcome = Result<Void, any Error>

  private let promise = Promise<Outcome>()
  private let ignored = Atomic(0)

  /// The state of the first attempt, which counts the ignored calls of all attempts; `nil` if this
  /// is the first attempt.
  private let first: CompletionState?

  /// The function that receives the outcome; `nil` if a runner waits for the outcome instead.
  private let completed: (@Sendable (Outcome) -> Void)?

  /// A function that undoes a success that the callback reports after the run has stopped waiting;
  /// `nil` if there is nothing to undo, or if no such report is possible any longer.
  private let undoing: Mutex<(@Sendable () -> Void)?>
  private let isGivenUp = Atomic(false)

  /// Creates the state of a completion for which a runner waits.
  ///
  /// - Parameters:
  ///   - earlier: The completion of the previous attempt; `nil` for the first attempt.
  ///   - undoing: A function that is called once if the callback reports a success after the run
  ///     has abandoned it.
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

  /// The number of ignored calls in all attempts. A call is ignored if the outcome of its attempt
  /// has already been decided.
  var ignoredCalls: Int { (first ?? self).ignored.load(ordering: .relaxed) }

  /// Calls `body` with a completion, and waits until the body has returned and the completion has
  /// been called.
  ///
  /// - Throws: The error that was passed to the completion, or that the body threw before any call;
  ///   `CompletionError.abandoned` if the completion was dropped without being called; or
  ///   `CancellationError` if the task was cancelled first.
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
    // Dropped only now: a thrown error must not look like an abandoned completion.
    withExtendedLifetime(completion) {}
  }

  /// Handles a call to the completion. The first call decides the outcome; all others are ignored
  /// and counted. A success that is reported after the run has stopped waiting is undone.
  func complete(_ outcome: Outcome) {
    if settle(outcome) { return forgetUndoing() }
    (first ?? self).ignored.add(1, ordering: .relaxed)
    guard case .success = outcome, isGivenUp.load(ordering: .acquiring) else { return }
    undoing.withLock { $0.take() }?()
  }

  /// Records that the last copy of the completion has been released, after which no call is
  /// possible.
  func abandon() {
    settle(.failure(CompletionError.abandoned))
    forgetUndoing()
  }

  /// Releases the function that undoes a success, because it retains the run and user code, which
  /// the report must not keep alive.
  private func forgetUndoing() {
    let unneeded = undoing.withLock { $0.take() }
    withExtendedLifetime(unneeded) {}
  }

  /// Records that the run no longer waits for the callback. From now on, a success is undone.
  func giveUp(_ error: any Error) {
    // Stored first: otherwise a call in between could find the completion settled but not
    // abandoned.
    isGivenUp.store(true, ordering: .releasing)
    settle(.failure(error))
  }

  /// Decides the outcome if it is undecided.
  ///
  /// - Returns: Whether this call decided the outcome.
  @discardableResult
  func settle(_ outcome: Outcome) -> Bool {
    let isFirst = promise.fulfill(outcome)
    if isFirst { completed?(outcome) }
    return isFirst
  }
}
