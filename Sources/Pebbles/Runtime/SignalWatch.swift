/// A watch for a set of signals. The watch is active until it is cancelled or released.
///
/// When the first signal of the set arrives, the handler is called. The second signal ends the
/// process immediately, as it would without a watch, because a user who sends a signal twice does
/// not want to wait for a shutdown. A signal that arrives after `init` has returned is never lost.
/// There may be several watches, even for the same signals, and each counts its signals separately.
/// `SignalRegister` determines the consequence of each signal.
///
/// A process has only one disposition per signal. Therefore, while a signal is watched, other
/// handlers and `Dispatch` sources for the signal are not called. They are restored when the last
/// watch for the signal ends.
package final class SignalWatch: Sendable {
  private let identifier: Int

  /// Creates a watch that is active immediately.
  ///
  /// - Parameters:
  ///   - signals: The signals to watch for. See `Signal.faults(in:)`.
  ///   - handler: A function that is called at most once, soon after the first signal, on a thread
  ///     that all watches share. It must not block, because a second signal would then go
  ///     unnoticed. It may still be called shortly after `cancel()` has returned.
  /// - Throws: `SignalWatchError` if `signals` is invalid, or if the system does not allow the
  ///   watch.
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

  /// Ends the watch. A signal that has arrived but has not been handled yet has its usual effect,
  /// as if it had not been watched. Only the first call to this method has an effect.
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
