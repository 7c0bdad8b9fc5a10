/// What the body of a callback pebble calls, once, to say how it ended.
///
/// ```swift
/// pond.pebble("ping") { complete in
///   api.ping { complete(true) } failure: { error in complete.fail(error) }
/// }
/// ```
///
/// It may be called from any thread. The first call decides; later ones are ignored and counted in
/// ``PebbleRecord/ignoredCompletions``. When the last copy goes away without a call, the pebble
/// fails with ``CompletionError/abandoned``, so a callback that is lost cannot hang the run.
public struct Completion: Sendable {
  private let token: Token

  init(_ state: CompletionState) {
    token = Token(state)
  }

  /// A completion outside of any run, for the test of a body or of what a body hands it to.
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
  /// - Parameter completed: Called exactly once: with the outcome of the first call, or with
  ///   ``CompletionError/abandoned`` when the last copy has gone away without one.
  public init(_ completed: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    self.init(CompletionState(completed))
  }

  /// Ends the pebble: as succeeded, or as failed with ``CompletionError/reportedFailure``.
  public func callAsFunction(_ succeeded: Bool) {
    succeeded ? succeed() : fail(CompletionError.reportedFailure)
  }

  /// Ends the pebble as succeeded.
  public func succeed() {
    token.state.complete(.success(()))
  }

  /// Ends the pebble as failed with `error`.
  public func fail(_ error: any Error) {
    token.state.complete(.failure(error))
  }

  /// Shared by all copies of a completion; goes away with the last of them.
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
