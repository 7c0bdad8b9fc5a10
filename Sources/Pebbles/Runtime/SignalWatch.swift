/// Waits for signals to the process for as long as it lives.
///
/// The first signal calls the handler. The next one, of the same watch, ends the process the way
/// that signal does by default: whoever presses Control-C twice does not want to wait. With several
/// watches each counts for itself, and one that has heard a signal decides for all.
///
/// From when `init` returns no signal is lost: one that comes while the watch ends is either heard
/// or left to the disposition from before. As everywhere in POSIX, signals of one number that come
/// faster than they are handled count as one.
final class SignalWatch: Sendable {
  private let relay: SignalRelay
  private let listener: SignalListeners.ID

  /// Starts to watch, at once.
  ///
  /// - Parameters:
  ///   - signals: What to wait for. Ignored so far or not, they now come here.
  ///   - handler: Called at most once, on a thread that all watches share; it must return soon.
  /// - Throws: ``SignalWatchError`` for signals with ``faults(of:)``, or if the system has no
  ///   thread or no file descriptors to give.
  init(_ signals: [Signal], handler: @escaping @Sendable (Signal) -> Void) throws {
    let faults = Self.faults(of: signals)
    guard faults.isEmpty else { throw SignalWatchError(faults: faults) }
    relay = .shared
    listener = try relay.subscribe(to: Set(signals), handler)
  }

  deinit { cancel() }

  /// Ends the watch and restores the dispositions from before, unless another watch needs the
  /// signal or somebody else has changed the disposition since.
  ///
  /// A handler that is being called at this moment runs to its end. Calls after the first do
  /// nothing.
  func cancel() {
    relay.unsubscribe(listener)
  }

  /// What is wrong with a set of signals to wait for, as the ends of sentences that begin with who
  /// is to wait.
  static func faults(of signals: [Signal]) -> [String] {
    if signals.isEmpty { return ["is to wait for no signal; name one"] }
    return Set(signals).sorted { $0.rawValue < $1.rawValue }.compactMap { signal in
      if !signal.exists {
        "is to wait for signal \(signal.rawValue), which this system does not have; leave it out"
      } else if signal.isUncatchable {
        "is to wait for \(signal), which no process can catch; leave it out"
      } else if signal.reportsDefect {
        "is to wait for \(signal), which reports a defect in the program and cannot wait;"
          + " leave it out"
      } else {
        nil
      }
    }
  }
}

/// Signals cannot be waited for.
struct SignalWatchError: Error, Hashable, CustomStringConvertible {
  /// Why, as the ends of sentences that begin with who is to wait.
  let faults: [String]

  var description: String {
    faults.map { "the process \($0)" }.joined(separator: "\n")
  }
}
