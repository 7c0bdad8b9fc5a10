#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A POSIX signal that asks the program to end.
///
/// A signal that cannot be waited for is a fault of the definition that names it: one that cannot
/// be caught (`SIGKILL`), that reports an error of the program itself (`SIGSEGV`), or that does not
/// end a program (`SIGWINCH`), and a number that no signal has.
public struct Signal: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// `SIGTERM`: asks a program to end; sent by `kill` and by service and container supervisors.
  public static let terminate = Signal(rawValue: SIGTERM)

  /// `SIGINT`: sent by Control-C in a terminal.
  public static let interrupt = Signal(rawValue: SIGINT)

  /// `SIGHUP`: the terminal has gone.
  public static let hangup = Signal(rawValue: SIGHUP)

  /// `SIGQUIT`: sent by Control-\ in a terminal; by default it leaves a core dump.
  public static let quit = Signal(rawValue: SIGQUIT)

  /// The number of the signal on this system.
  public let rawValue: Int32

  /// Makes a signal from its number.
  ///
  /// - Parameter rawValue: A number such as `SIGUSR1`. Any is taken here; see ``Signal`` for what
  ///   cannot be waited for.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The name that C gives the signal, or its number.
  public var description: String {
    Self.names[rawValue] ?? "signal \(rawValue)"
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
}
