/// One call of the body of a pebble: where those find each other who perform it and who wait for
/// it. What has become of it is in its `Attempt`.
final class AttemptCall: Sendable {
  let pebble: Int
  let name: String
  let run: RunIdentifier
  let slot: ContextSlot
  let isService: Bool

  /// The right of the body to block a thread, if it does.
  let thread: ThreadLease?

  /// When it is late, if there is a limit.
  let limit: AttemptLimit?

  /// How long others wait for its end when it is over for them, in nanoseconds.
  let patience: UInt64

  /// Whether the body is called however late it is: it undoes something.
  let isAlwaysCalled: Bool

  /// Whether its pebble has a teardown.
  let undoesOutput: Bool

  /// Whether a service that returns after it was ready has ended well.
  let mayReturn: Bool

  /// Given once the body has ended, the service is ready, or time is over.
  let answer = Promise<Result<AnyOutput?, any Error>>()

  /// Given once nothing of it is left.
  let isOver = Promise<Void>()

  /// Given once a service is asked to stop.
  let stop = Promise<Void>()

  /// Given once what a service was handed is gone before it was ready: it is called anew, and this
  /// call does not count.
  let startsAnew = Promise<Void>()

  /// Given once the body of a service has ended that was ready, or a restart has failed.
  let serviceEnd = Promise<ServiceCallEnd>()

  private let task = Promise<Task<Void, Never>>()

  /// - Parameters:
  ///   - core: The run.
  ///   - pebble: The pebble.
  ///   - number: The number of the attempt.
  ///   - options: Those of the pebble.
  ///   - limit: When it is late.
  ///   - thread: The right of the body to block a thread.
  init(
    _ core: RunCore, _ pebble: Int, number: Int, _ options: PebbleOptions,
    _ limit: AttemptLimit?, _ thread: ThreadLease? = nil
  ) {
    self.pebble = pebble
    self.limit = limit
    self.thread = thread
    name = core.name(pebble)
    run = core.identifier
    slot = ContextSlot(core, pebble: pebble, attempt: number)
    isService = options.isService
    patience = options.traits.timeout?.nanoseconds ?? .max
    isAlwaysCalled = core.options.purpose.isTeardown
    undoesOutput = options.teardown != nil
    mayReturn = options.traits.ending?.mayReturn ?? false
  }

  /// A body that was awaited in place, with the slot of its runner.
  init(_ core: RunCore, _ pebble: Int, in slot: ContextSlot) {
    self.pebble = pebble
    self.slot = slot
    name = core.name(pebble)
    run = core.identifier
    limit = nil
    thread = nil
    isService = false
    patience = .max
    isAlwaysCalled = false
    undoesOutput = false
    mayReturn = false
  }

  /// The task of the body has been made.
  func taskMade(_ made: Task<Void, Never>) { task.fulfill(made) }

  /// Cancels the body, now or as soon as it has a task.
  func cancelBody() { task.whenFulfilled { $0.cancel() } }
}

/// When an attempt is late, and what it fails with then.
struct AttemptLimit {
  /// In nanoseconds since the start of the run.
  let end: UInt64
  let error: PebbleTimeout
}

/// How one call of the body of a service has ended.
struct ServiceCallEnd: Sendable {
  let result: Result<Void, any Error>

  /// When that was noted, in nanoseconds.
  let time: UInt64

  let reason: Reason

  enum Reason {
    /// That was to be: it was asked to, or may end and has returned.
    case isExpected
    /// It is to be called again with a service that it restarts with.
    case isRecalled
    /// Nobody has asked it to.
    case isUnasked
  }
}
