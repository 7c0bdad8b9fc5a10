import Synchronization

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
      state.settle(.failure(CompletionError.abandoned))
    }
  }
}

/// Why a callback pebble failed when the callback gave no error of its own.
///
/// More reasons may come with later versions.
public struct CompletionError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable {
    case reportedFailure
    case abandoned
  }

  package let kind: Kind

  /// The completion was called with `false`.
  public static let reportedFailure = CompletionError(kind: .reportedFailure)

  /// The completion was dropped without being called.
  public static let abandoned = CompletionError(kind: .abandoned)

  /// The error as a sentence.
  public var description: String {
    switch kind {
    case .reportedFailure: "its callback reported failure without saying why"
    case .abandoned: "its callback was dropped without being called"
    }
  }
}

/// The meeting point of a callback and the runner that waits for it.
final class CompletionState: Sendable {
  typealias Outcome = Result<Void, any Error>

  private let settlement = Settlement<Outcome>()
  private let ignored = Atomic(0)

  /// The completion of the first attempt, which counts for all; `nil` in itself.
  private let first: CompletionState?

  /// What is told the outcome instead of a runner that waits for it.
  private let completed: (@Sendable (Outcome) -> Void)?

  /// - Parameter earlier: The completion of the attempt before, if there was one.
  init(following earlier: CompletionState? = nil) {
    first = earlier?.first ?? earlier
    completed = nil
  }

  init(_ completed: @escaping @Sendable (Outcome) -> Void) {
    first = nil
    self.completed = completed
  }

  /// How many calls, in all attempts, came after the one that decided.
  var ignoredCalls: Int { (first ?? self).ignored.load(ordering: .relaxed) }

  /// Calls `body` with a completion and waits until both have ended.
  func outcome(of body: @Sendable (Completion) async throws -> Void) async throws {
    await call(body)
    // A cancelled run does not wait for a callback that may never come.
    try await withTaskCancellationHandler {
      await settlement.value()
    } onCancel: {
      settle(.failure(CancellationError()))
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
    if !settle(outcome) { (first ?? self).ignored.add(1, ordering: .relaxed) }
  }

  /// Decides the outcome unless that has happened.
  ///
  /// - Returns: Whether this call decided it.
  @discardableResult
  func settle(_ outcome: Outcome) -> Bool {
    let isFirst = settlement.settle(outcome)
    if isFirst { completed?(outcome) }
    return isFirst
  }
}

extension CompletionError {
  /// Lets `catch CompletionError.abandoned` name the error, as that of an enum.
  public static func ~= (match: CompletionError, error: any Error) -> Bool {
    error as? CompletionError == match
  }
}
