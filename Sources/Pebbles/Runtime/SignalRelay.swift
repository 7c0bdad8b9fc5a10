#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Synchronization

/// Takes signals out of the pipe and tells the watches. There is one for the process.
///
/// It has a thread of its own, made for the first watch and kept. Thus a second signal ends the
/// process also when every thread of the concurrency pool is stuck, which is when one sends it. And
/// watched signals get through even if all other threads block them, as those of the pool do.
final class SignalRelay: Sendable {
  static let shared = SignalRelay()

  private let state = Mutex(State())

  private struct State: Sendable {
    var readingEnd: CInt?
    var isListening = false
    var register = SignalRegister()
    var replaced = ReplacedDispositions(by: SignalPipe.disposition)

    /// Opens the pipe, unless that was done for an earlier watch.
    mutating func openPipe() throws(SignalWatchError) -> CInt {
      if let readingEnd { return readingEnd }
      let opened = try SignalPipe.open()
      readingEnd = opened
      return opened
    }
  }

  /// - Returns: What `remove(_:)` is to be given.
  func add(
    _ signals: Set<Signal>, _ handler: @escaping @Sendable (Signal) -> Void
  ) throws(SignalWatchError) -> Int {
    try state.withLock { state throws(SignalWatchError) in
      try listen(&state)
      // Registered first, so that there is no moment at which a signal would find no watch.
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
    // What the handler captured is let go of out here, as it may do anything when it goes.
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

  /// What the thread does, to the end of the process.
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
      // Its watch went while it was in the pipe. Should our handler still be there, put back by
      // code that had found it, then it would come here again and again.
      if SignalPipe.disposition.isInstalled(for: signal) {
        SignalDisposition.byDefault.install(for: signal)
      }
      kill(getpid(), signal.rawValue)
    }
  }

  /// Ends the process in a way that shows its parent which signal it was.
  private static func endProcess(by signal: Signal) -> Never {
    SignalDisposition.byDefault.install(for: signal)
    // It gets through to this thread: it has come before, for a watch that is still there.
    raise(signal.rawValue)
    // The first process of a container is not ended by default. This is how a shell would put it.
    _exit(128 + signal.rawValue)
  }
}
