#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Synchronization

/// A relay that reads signals from a pipe and notifies the watches. A process has one relay.
///
/// The relay has its own thread, which is created for the first watch and then kept. Therefore, a
/// second signal ends the process even if every thread of the concurrency pool is blocked, which is
/// exactly when users send a second signal. Watched signals arrive even if all other threads mask
/// them, as the pool's threads do.
final class SignalRelay: Sendable {
  static let shared = SignalRelay()

  private let state = Mutex(State())

  private struct State: Sendable {
    var readingEnd: CInt?
    var isListening = false
    var register = SignalRegister()
    var replaced = ReplacedDispositions(by: SignalPipe.disposition)

    /// Returns the reading end of the pipe. The pipe is opened for the first watch.
    mutating func openPipe() throws(SignalWatchError) -> CInt {
      if let readingEnd { return readingEnd }
      let opened = try SignalPipe.open()
      readingEnd = opened
      return opened
    }
  }

  /// Adds a watch.
  ///
  /// - Returns: The identifier to pass to `remove(_:)`.
  /// - Throws: `SignalWatchError` if the system cannot open the pipe, start the thread, or install
  ///   a handler.
  func add(
    _ signals: Set<Signal>, _ handler: @escaping @Sendable (Signal) -> Void
  ) throws(SignalWatchError) -> Int {
    try state.withLock { state throws(SignalWatchError) in
      try listen(&state)
      // Registered first, so that no signal can arrive without finding its watch.
      let identifier = state.register.add(signals, handler)
      for signal in signals where !state.replaced.replace(for: signal) {
        let code = errno
        _ = remove(identifier, &state)
        throw .systemCall("sigaction", code: code)
      }
      SignalPipe.nudge()
      return identifier
    }
  }

  func remove(_ identifier: Int) {
    let removed = state.withLock { remove(identifier, &$0) }
    // The handler's captures are released outside of the lock, because their deinitializers may do
    // anything.
    guard removed != nil else { return }
    SignalPipe.nudge()
  }

  private func remove(_ identifier: Int, _ state: inout State) -> SignalRegister.Watch? {
    let removed = state.register.remove(identifier)
    state.replaced.putBack(except: state.register.signals)
    return removed
  }

  private func listen(_ state: inout State) throws(SignalWatchError) {
    guard !state.isListening else { return }
    let readingEnd = try state.openPipe()
    state.isListening = SystemThread.start(named: "pebble-signals") { self.relay(from: readingEnd) }
    if !state.isListening { throw .systemCall("pthread_create", code: EAGAIN) }
  }

  /// Relays signals until the process ends or the pipe breaks. This is the main function of the
  /// thread.
  private func relay(from readingEnd: CInt) {
    var inherited = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &inherited)
    while true {
      letThrough(state.withLock { $0.register.signals }, otherwiseBlocking: inherited)
      switch SignalPipe.next(from: readingEnd) {
      case .signal(let signal): relay(signal)
      case .nudge: continue
      case .broken: return
      }
    }
  }

  private func letThrough(_ signals: Set<Signal>, otherwiseBlocking inherited: sigset_t) {
    var blocked = inherited
    for signal in signals { sigdelset(&blocked, signal.rawValue) }
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }

  private func relay(_ signal: Signal) {
    switch state.withLock({ $0.register.signalArrived(signal) }) {
    case .call(let handlers):
      for handler in handlers { handler(signal) }
    case .endProcess:
      Self.endProcess(by: signal)
    case .passOn:
      // The watch was removed while the signal was in the pipe. If other code has saved our handler
      // and restored it later, the handler is still installed, and the signal would come here again
      // and again.
      if SignalPipe.disposition.isInstalled(for: signal) {
        SignalDisposition.byDefault.install(for: signal)
      }
      kill(getpid(), signal.rawValue)
    }
  }

  /// Ends the process by raising a signal, so that the parent process can see which signal ended
  /// it.
  private static func endProcess(by signal: Signal) -> Never {
    SignalDisposition.byDefault.install(for: signal)
    // This thread does not block the signal, because a watch for it still exists.
    raise(signal.rawValue)
    // By default, a signal does not end the first process of a container. The exit code is the one
    // that a shell would report.
    _exit(128 + signal.rawValue)
  }
}
