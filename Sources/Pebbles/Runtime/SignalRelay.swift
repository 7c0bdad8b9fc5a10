#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Synchronization

/// Brings signals from where the system delivers them, inside whatever some thread is doing, to a
/// thread on which code may run.
///
/// The signal handler only sets a bit and writes a byte into a pipe, on which the thread waits.
/// There is one pipe and one thread for the process, made for the first watch and kept.
///
/// Not signal sources of Dispatch: on Linux these install a handler of their own that blocks all
/// signals in whatever thread is hit, which child processes inherit; they never restore what was
/// there before; and a signal before their asynchronous registration would end the process.
final class SignalRelay: Sendable {
  static let shared = SignalRelay()

  private let state = Mutex(State())

  private struct State {
    var listeners = SignalListeners()

    /// What was there before, for each signal that has the relay's disposition.
    var previous: [Signal: SignalDisposition] = [:]

    var isServing = false
  }

  private init() {}

  /// From the return of this on no signal is lost.
  func subscribe(
    to signals: Set<Signal>, _ handler: @escaping SignalListeners.Handler
  ) throws -> SignalListeners.ID {
    let listener = try state.withLock { state in
      try Self.startServing(&state, self)
      let listener = state.listeners.add(signals, handler)
      for signal in signals.subtracting(state.previous.keys) {
        guard let previous = SignalDisposition.current(of: signal),
          SignalDisposition.relay.install(for: signal)
        else {
          Self.remove(listener, &state)
          throw SignalWatchError(faults: ["cannot catch \(signal); leave it out"])
        }
        state.previous[signal] = previous
      }
      return listener
    }
    // The thread has to open its signal mask for what is new.
    CaughtSignals.wake()
    return listener
  }

  func unsubscribe(_ listener: SignalListeners.ID) {
    state.withLock { Self.remove(listener, &$0) }
    CaughtSignals.wake()
  }

  private static func remove(_ listener: SignalListeners.ID, _ state: inout State) {
    state.listeners.remove(listener)
    let needed = state.listeners.signals
    for (signal, previous) in state.previous where !needed.contains(signal) {
      state.previous[signal] = nil
      // Somebody may have put another in the place of ours: theirs stays.
      if SignalDisposition.current(of: signal)?.isRelay == true {
        _ = previous.install(for: signal)
      }
    }
  }

  private static func startServing(_ state: inout State, _ relay: SignalRelay) throws {
    if state.isServing { return }
    guard let descriptor = CaughtSignals.openPipe() else {
      throw SignalWatchError(
        faults: ["cannot wait for signals: the system has no file descriptors to give"])
    }
    guard SystemThread.start({ relay.serve(descriptor) }) else {
      throw SignalWatchError(faults: ["cannot wait for signals: the system has no thread to give"])
    }
    state.isServing = true
  }

  /// What the thread does, for as long as the process lives.
  private func serve(_ descriptor: Int32) {
    while true {
      // The program may block these signals in all its threads, as Dispatch does in those of its
      // pool; here they always have a way in. All others are for threads of the program.
      Signal.blockAll(but: state.withLock { Array($0.previous.keys) })
      CaughtSignals.sleep(descriptor)
      for signal in CaughtSignals.takeAll() { handle(signal) }
    }
  }

  private func handle(_ signal: Signal) {
    switch state.withLock({ $0.listeners.signalArrived(signal) }) {
    case .call(let handlers):
      for handler in handlers { handler(signal) }
    case .endProcess:
      state.withLock { Self.endProcess(by: signal, $0) }
    case .giveBack:
      // Caught in the moment before the last watch ended. If our disposition is still there, then
      // because somebody had saved and restored it, and the signal would come back for ever.
      if SignalDisposition.current(of: signal)?.isRelay == true {
        _ = SignalDisposition.system.install(for: signal)
      }
      kill(getpid(), signal.rawValue)
    }
  }

  /// Does what the signal does by default; returns only if that does not end the process.
  private static func endProcess(by signal: Signal, _ state: borrowing State) {
    _ = SignalDisposition.system.install(for: signal)
    signal.unblock()
    // To this thread, so that the signal has taken effect when the call returns.
    raise(signal.rawValue)
    // The first process of a container is spared by signals with the default disposition.
    if getpid() == 1 { _exit(128 + signal.rawValue) }
    if state.previous[signal] != nil { _ = SignalDisposition.relay.install(for: signal) }
  }
}
