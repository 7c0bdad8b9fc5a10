/// A function that a callback pebble's body calls once to report how the pebble ended.
///
/// ```swift
/// pond.pebble("ping") { complete in
///   api.ping { complete(true) } failure: { error in complete.fail(error) }
/// }
/// ```
///
/// A completion can be called from any thread. The first call decides the outcome; later calls are
/// ignored and counted in ``PebbleRecord/ignoredCompletions``. If the last copy is released without
/// a call, the pebble fails with ``CompletionError/abandoned``. Therefore, a lost callback cannot
/// make the run hang.
public struct Completion: Sendable {
  private let token: Token

  init(_ state: CompletionState) {
    token = Token(state)
  }

  /// Creates a completion outside of any run, for tests. A test can pass it to a body, or to code
  /// that normally receives it from a body.
  ///
  /// ```swift
  /// @Test func anUnreachableServerFailsThePing() async throws {
  ///   await #expect(throws: Unreachable.self) {
  ///     try await withCheckedThrowingContinuation { continuation in
  ///       Ping(to: .nowhere).start(Completion { outcome in continuation.resume(with: outcome) })
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter completed: A closure that is called exactly once: with the outcome of the first
  ///   call, or with ``CompletionError/abandoned`` when the last copy is released without a call.
  public init(_ completed: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    self.init(CompletionState(completed))
  }

  /// Ends the pebble with success if `succeeded` is `true`; otherwise, with the failure
  /// ``CompletionError/reportedFailure``.
  public func callAsFunction(_ succeeded: Bool) {
    succeeded ? succeed() : fail(CompletionError.reportedFailure)
  }

  /// Ends the pebble with success.
  public func succeed() {
    token.state.complete(.success(()))
  }

  /// Ends the pebble with a failure.
  ///
  /// - Parameter error: The error of the failure.
  public func fail(_ error: any Error) {
    token.state.complete(.failure(error))
  }

  /// An object that is shared by all copies of a completion, and released with the last of them.
  private final class Token: Sendable {
    let state: CompletionState

    init(_ state: CompletionState) {
      self.state = state
    }

    deinit {
      state.abandon()
    }
  }
}

/// The error of a callback pebble whose callback was dropped, or reported a failure without an
/// error.
///
/// Later versions may add errors.
@nonexhaustive public enum CompletionError: Error, CustomStringConvertible {
  /// The error of a completion that was called with `false`.
  case reportedFailure

  /// The error of a completion that was dropped without being called.
  case abandoned

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .reportedFailure: "its callback reported failure without saying why"
    case .abandoned: "its callback was dropped without being called"
    }
  }
}
