/// Watches for signals for as long as it lives, or until it is cancelled.
///
/// The first signal of the set calls the handler. The second ends the process at once, as it would
/// have done by itself: who asks twice does not want to wait for a shutdown. A signal that
/// arrives after `init` has returned is never lost. There may be several watches, also for the same
/// signals; each counts for itself.
///
/// A process has one disposition per signal, so while there is a watch for a signal, other handlers
/// and `Dispatch` sources for it are not called. They are put back when the last watch for it ends.
package final class SignalWatch: Sendable {
  private let identifier: Int

  /// - Parameters:
  ///   - signals: What to watch for. See `Signal.faults(in:)`.
  ///   - handler: Called once at most, soon after the first signal, on a thread that all watches
  ///     share. It must not block, or a second signal goes unseen. It may still be called while
  ///     `cancel()` returns.
  /// - Throws: What is wrong with `signals`, or why the system refuses.
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

  /// Watches no longer. A signal that has arrived without its handler being called does what it
  /// would have done without the watch. Calls after the first do nothing.
  package func cancel() {
    SignalRelay.shared.remove(identifier)
  }
}

/// Why signals cannot be watched.
package enum SignalWatchError: Error, Hashable, CustomStringConvertible {
  /// The set of signals is wrong, in these ways.
  case unwatchable([String])

  /// A call of the system failed.
  case systemCall(String, code: Int32)

  package var description: String {
    switch self {
    case .unwatchable(let faults): faults.joined(separator: "; ")
    case .systemCall(let name, let code):
      "signals cannot be watched, as the system call \(name) failed with error \(code); it may be "
        + "out of open files or threads"
    }
  }
}

/// Who watches for which signals, and who has had one.
struct SignalRegister: Sendable {
  typealias Handler = @Sendable (Signal) -> Void

  /// What a signal leads to.
  enum Action {
    /// It is the first for these.
    case call([Handler])

    /// It is the second for one watch at least.
    case endProcess

    /// No watch is left for it.
    case passOn
  }

  struct Watch: Sendable {
    let identifier: Int
    let signals: Set<Signal>
    let handler: Handler
    var hasFired = false
  }

  /// All signals watched for.
  private(set) var signals: Set<Signal> = []

  private var watches: [Watch] = []
  private var nextIdentifier = 0

  mutating func add(_ signals: Set<Signal>, _ handler: @escaping Handler) -> Int {
    defer { nextIdentifier += 1 }
    watches.append(Watch(identifier: nextIdentifier, signals: signals, handler: handler))
    self.signals.formUnion(signals)
    return nextIdentifier
  }

  mutating func remove(_ identifier: Int) -> Watch? {
    guard let index = watches.firstIndex(where: { $0.identifier == identifier }) else { return nil }
    let removed = watches.remove(at: index)
    signals = watches.reduce(into: []) { $0.formUnion($1.signals) }
    return removed
  }

  mutating func signalArrived(_ signal: Signal) -> Action {
    let concerned = watches.indices.filter { watches[$0].signals.contains(signal) }
    if concerned.isEmpty { return .passOn }
    if concerned.contains(where: { watches[$0].hasFired }) { return .endProcess }
    for index in concerned { watches[index].hasFired = true }
    return .call(concerned.map { watches[$0].handler })
  }
}
