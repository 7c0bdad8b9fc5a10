/// A watch for signals, active as long as it lives or until it is cancelled.
///
/// The first signal of the set calls the handler. The second one ends the process immediately, as
/// it would do without a watch, because a user who asks twice does not want to wait for a shutdown.
/// A signal that arrives after `init` has returned is never lost. There may be several watches,
/// even for the same signals. Each of them counts its signals separately; `SignalRegister` decides
/// what follows from a signal.
///
/// A process has one disposition per signal. So while a signal is watched, other handlers and
/// `Dispatch` sources for it are not called. They are restored when the last watch for it ends.
package final class SignalWatch: Sendable {
  private let identifier: Int

  /// Begins to watch for signals.
  ///
  /// - Parameters:
  ///   - signals: The signals to watch for. See `Signal.faults(in:)`.
  ///   - handler: Called at most once, soon after the first signal, on a thread that all watches
  ///     share. It must not block, or a second signal goes unnoticed. It may still be called
  ///     shortly after `cancel()` has returned.
  /// - Throws: `SignalWatchError` if `signals` is invalid, or if the system refuses.
  package init(
    _ signals: [Signal], handler: @escaping @Sendable (Signal) -> Void
  ) throws(SignalWatchError) {
    let faults = Signal.faults(in: signals)
    guard faults.isEmpty else { throw .unwatchable(faults) }
    identifier = try SignalRelay.shared.add(Set(signals), handler)
  }

  deinit {
    cancel()
  }

  /// Ends the watch. If a signal has arrived and its handler has not been called, the signal has
  /// the effect that it would have had without the watch. Calls after the first do nothing.
  package func cancel() {
    SignalRelay.shared.remove(identifier)
  }
}

/// The reason why signals cannot be watched.
package enum SignalWatchError: Error, Hashable, CustomStringConvertible {
  /// An invalid set of signals, with its faults.
  case unwatchable([String])

  /// A failed system call, with its name and error code.
  case systemCall(String, code: Int32)

  package var description: String {
    switch self {
    case .unwatchable(let faults): faults.joined(separator: "; ")
    case .systemCall(let name, let code):
      "signals cannot be watched: the system call \(name) failed with error \(code); it may be "
        + "out of open files or threads"
    }
  }
}
