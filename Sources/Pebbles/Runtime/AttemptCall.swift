/// One call to a body, shared by the task that performs the call and the callers that wait for it.
/// The state of the call is in its `Attempt`.
final class AttemptCall: Sendable {
  let pebble: Int
  let name: String
  let run: RunIdentifier
  let slot: ContextSlot
  let isService: Bool

  /// The lease that allows a blocking body to block a thread; `nil` for other bodies.
  let thread: ThreadLease?

  /// The time limit of the attempt; `nil` for no limit.
  let limit: AttemptLimit?

  /// The time limit, in nanoseconds, for closing everything that the body has left behind; `.max`
  /// for no limit.
  let closingTime: UInt64

  /// Whether the body is called even after the attempt has timed out; `true` only for a teardown.
  let isAlwaysCalled: Bool

  /// Whether the pebble has a teardown.
  let undoesOutput: Bool

  /// Whether a service may return after it has become ready.
  let mayReturn: Bool

  /// Whether the service is restarted after it has ended by itself. This depends on its
  /// ``ServiceEnding`` policy.
  let mayRestart: Bool

  /// A promise of the result that the caller awaits. It is fulfilled once the body has ended, the
  /// service is ready, or the attempt has timed out.
  let answer = Promise<Result<AnyOutput?, any Error>>()

  /// A promise that is fulfilled once the attempt is over.
  let isOver = Promise<Void>()

  /// A promise that is fulfilled once the service is asked to stop.
  let stop = Promise<Void>()

  /// A promise that is fulfilled if an input of the service is lost before the service is ready.
  /// The body is then called again, and the call that lost its input does not count toward the
  /// retry policy.
  let startsAnew = Promise<Void>()

  /// A promise that is fulfilled when this call ends, provided that the service became ready in
  /// this call, or that the call was a failed restart.
  let serviceEnd = Promise<ServiceCallEnd>()

  private let task = Promise<Task<Void, Never>>()

  /// Creates the call of an attempt.
  ///
  /// - Parameters:
  ///   - core: The run.
  ///   - pebble: The pebble.
  ///   - slot: The slot of the attempt. A body that a runner awaits inline has the runner's slot.
  ///   - options: The options of the pebble; `.none` for a body that a runner awaits inline.
  ///   - limit: The time limit of the attempt.
  ///   - thread: The lease that allows a blocking body to block a thread; `nil` for other bodies.
  init(
    _ core: RunCore, _ pebble: Int, in slot: ContextSlot, _ options: PebbleOptions,
    _ limit: AttemptLimit?, _ thread: ThreadLease? = nil
  ) {
    self.pebble = pebble
    self.slot = slot
    self.limit = limit
    self.thread = thread
    name = core.name(pebble)
    run = core.identifier
    isService = options.isService
    closingTime = options.traits.timeout?.nanoseconds ?? .max
    isAlwaysCalled = core.options.purpose.isTeardown
    undoesOutput = options.teardown != nil
    mayReturn = options.traits.ending?.mayReturn ?? false
    mayRestart = options.mayRestart
  }

  /// Sets the task of the body.
  func taskMade(_ made: Task<Void, Never>) { task.fulfill(made) }

  /// Cancels the body, now or as soon as it has a task.
  func cancelBody() { task.whenFulfilled { $0.cancel() } }
}

/// The time limit of an attempt, and the error with which the attempt fails at the limit.
struct AttemptLimit {
  /// The time at which the limit is reached, in nanoseconds since the start of the run.
  let end: UInt64
  let error: PebbleTimeout
}

/// The end of one call to a service's body.
struct ServiceCallEnd: Sendable {
  let result: Result<Void, any Error>

  /// The time at which the end was recorded, in nanoseconds.
  let time: UInt64

  let reason: Reason

  enum Reason {
    /// An expected end: the service was asked to stop, or was allowed to return.
    case isExpected
    /// A recall: the service must be restarted together with another service.
    case isRecalled
    /// An end that was neither expected nor caused by a recall.
    case isUnasked
  }
}
