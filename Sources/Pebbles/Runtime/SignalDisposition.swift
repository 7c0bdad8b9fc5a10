#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What happens in this process when a signal arrives.
struct SignalDisposition {
  private var action = sigaction()

  /// What the system does with a signal nobody has asked for.
  static var system: SignalDisposition { SignalDisposition(nil) }

  /// The signal is noted for the relay.
  static var relay: SignalDisposition { SignalDisposition(CaughtSignals.handler) }

  private init(_ handler: (@convention(c) (Int32) -> Void)?) {
    sigemptyset(&action.sa_mask)
    // System calls of the program go on as if nothing had happened.
    action.sa_flags = SA_RESTART
    #if canImport(Darwin)
    action.__sigaction_u.__sa_handler = handler
    #elseif canImport(Musl)
    action.__sa_handler.sa_handler = handler
    #else
    action.__sigaction_handler.sa_handler = handler
    #endif
  }

  private init(_ action: sigaction) {
    self.action = action
  }

  /// The disposition of now, or `nil` if the system does not have the signal.
  static func current(of signal: Signal) -> SignalDisposition? {
    var action = sigaction()
    guard sigaction(signal.rawValue, nil, &action) == 0 else { return nil }
    return SignalDisposition(action)
  }

  /// - Returns: Whether the signal could be given this disposition.
  func install(for signal: Signal) -> Bool {
    var action = action
    return sigaction(signal.rawValue, &action, nil) == 0
  }

  /// Whether this is the disposition `relay`.
  var isRelay: Bool {
    #if canImport(Darwin)
    let handler = action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
    let handler = action.__sa_handler.sa_handler
    #else
    let handler = action.__sigaction_handler.sa_handler
    #endif
    // Functions cannot be compared; their addresses can, and these are constants.
    return unsafeBitCast(handler, to: Int.self)
      == unsafeBitCast(CaughtSignals.handler, to: Int.self)
  }
}

extension Signal {
  /// Whether the system has a signal of this number. Some numbers in the middle belong to its
  /// thread library.
  var exists: Bool {
    // Up to 64, the most that any supported system has.
    (1...64).contains(rawValue) && SignalDisposition.current(of: self) != nil
  }

  /// Whether the system lets nobody catch it.
  var isUncatchable: Bool { rawValue == SIGKILL || rawValue == SIGSTOP }

  /// Whether the thread that caused it cannot go on, so that there is no time to handle it
  /// elsewhere: it would be caused again at once, for ever.
  var reportsDefect: Bool {
    [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS].contains(rawValue)
  }

  /// Blocks all signals but these in the calling thread.
  static func blockAll(but signals: [Signal]) {
    var mask = sigset_t()
    sigfillset(&mask)
    for signal in signals { sigdelset(&mask, signal.rawValue) }
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// Lets the signal reach the calling thread.
  func unblock() {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, rawValue)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }
}
