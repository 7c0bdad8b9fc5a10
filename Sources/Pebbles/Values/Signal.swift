#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A POSIX signal that asks the program to end.
///
/// A run cannot wait for these signals:
///
/// - a signal that cannot be caught, such as `SIGKILL`
/// - a signal that reports an error of the program itself, such as `SIGSEGV`
/// - a signal that does not end a program, such as `SIGWINCH`
/// - a number that does not belong to any signal
public struct Signal: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The signal `SIGTERM`, sent by `kill` and by service and container supervisors to ask a program
  /// to end.
  public static let terminate = Signal(rawValue: SIGTERM)

  /// The signal `SIGINT`, sent by Control-C in a terminal.
  public static let interrupt = Signal(rawValue: SIGINT)

  /// The signal `SIGHUP`, sent when the terminal is closed.
  public static let hangup = Signal(rawValue: SIGHUP)

  /// The signal `SIGQUIT`, sent by Control-\ in a terminal. By default, it ends the program with a
  /// core dump.
  public static let quit = Signal(rawValue: SIGQUIT)

  /// An unavailable name for ``terminate``. The compiler suggests ``terminate`` instead.
  @available(*, unavailable, renamed: "terminate")
  public static var sigterm: Signal { terminate }

  /// An unavailable name for ``interrupt``. The compiler suggests ``interrupt`` instead.
  @available(*, unavailable, renamed: "interrupt")
  public static var sigint: Signal { interrupt }

  /// The number of the signal on this system.
  public let rawValue: Int32

  /// Creates a signal from its number.
  ///
  /// - Parameter rawValue: A number such as `SIGUSR1`. Any number is accepted; see ``Signal`` for
  ///   the signals that a run does not accept.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The name of the signal in C, or its number.
  public var description: String {
    Self.names[rawValue] ?? Self.namesOfApple[rawValue] ?? "signal \(rawValue)"
  }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1",
    SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM",
    SIGTERM: "SIGTERM", SIGCHLD: "SIGCHLD", SIGCONT: "SIGCONT", SIGSTOP: "SIGSTOP",
    SIGTSTP: "SIGTSTP", SIGTTIN: "SIGTTIN", SIGTTOU: "SIGTTOU", SIGURG: "SIGURG",
    SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGVTALRM: "SIGVTALRM", SIGPROF: "SIGPROF",
    SIGWINCH: "SIGWINCH", SIGIO: "SIGIO", SIGSYS: "SIGSYS",
  ]

  /// The names of the signals that exist only on Apple platforms.
  private static var namesOfApple: [Int32: String] {
    #if canImport(Darwin)
    [SIGEMT: "SIGEMT", SIGINFO: "SIGINFO"]
    #else
    [:]
    #endif
  }
}

extension Signal {
  /// Returns the faults in a list of signals that a run should wait for, each worded as a clause.
  /// The result is empty if the run can wait for all of them. An empty list of signals is a fault.
  static func faults(in signals: [Signal]) -> [String] {
    if signals.isEmpty { return ["there is no signal to wait for; name one"] }
    var seen: Set<Signal> = []
    return signals.filter { seen.insert($0).inserted }.compactMap(\.fault)
  }

  private var fault: String? {
    switch rawValue {
    case SIGKILL, SIGSTOP:
      "\(self) cannot be caught; wait for another signal"
    case _ where Self.errors.contains(rawValue):
      "\(self) reports an error of the program, which cannot go on to shut down; wait for another "
        + "signal"
    case _ where Self.ignoredOrStopping.contains(rawValue):
      "\(self) does not end a program, so a second one could not either; wait for another signal"
    case _ where sigaction(rawValue, nil, nil) != 0:
      "\(rawValue) is not the number of a signal; wait for one that exists"
    default:
      nil
    }
  }

  private static var errors: [Int32] {
    let everywhere = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS]
    #if canImport(Darwin)
    return everywhere + [SIGEMT]
    #else
    return everywhere
    #endif
  }

  private static var ignoredOrStopping: [Int32] {
    let everywhere = [SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU]
    #if canImport(Darwin)
    return everywhere + [SIGIO, SIGINFO]
    #else
    return everywhere
    #endif
  }
}
