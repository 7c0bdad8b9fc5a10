/// One execution of a pond, started by ``Pond/start(clock:)``.
///
/// The run goes on whether or not anybody holds on to this.
public final class Run: Sendable {
  private let dispatcher: Dispatcher

  init(_ dispatcher: Dispatcher) {
    self.dispatcher = dispatcher
  }

  /// Ends the run early: cancels the tasks of running bodies, starts nothing more, and skips what
  /// has not started with ``SkipReason/cancelled``.
  ///
  /// Cancellation is cooperative: the run ends when the running bodies have ended. May be called at
  /// any time and from any thread; only the first call, before the end, has an effect.
  public func cancel() {
    dispatcher.cancel()
  }

  /// What happened, once the run has ended.
  ///
  /// Cancelling the task that waits here does not cancel the run; ``Pond/run(clock:)`` does that.
  public var report: Report {
    get async {
      Report(dispatcher.storage, await dispatcher.ending.reached())
    }
  }
}
