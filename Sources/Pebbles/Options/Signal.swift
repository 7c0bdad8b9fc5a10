#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A signal of the operating system, such as the request to end that a service manager sends.
///
/// ```swift
/// try await pond.run(untilSignal: [.terminate, .interrupt])
/// ```
public struct Signal: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The number the system gives the signal. Numbers differ between systems.
  public let rawValue: Int32

  /// A signal by its number, for those that have no name here.
  ///
  /// Any number is accepted. One that cannot be waited for is reported where the signal is used.
  ///
  /// - Parameter rawValue: The number, such as `SIGUSR1`.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// `SIGTERM`: the polite request to end, from `kill`, service managers and container runtimes.
  public static let terminate = Signal(rawValue: SIGTERM)

  /// `SIGINT`: somebody has pressed Control-C.
  public static let interrupt = Signal(rawValue: SIGINT)

  /// `SIGHUP`: the terminal is gone. To services it often says: read the configuration again.
  public static let hangup = Signal(rawValue: SIGHUP)

  /// The name the system's manual uses, such as `SIGTERM`, or the number of a signal without a
  /// well-known one, such as `signal 42`.
  public var description: String {
    Self.names.first { $0.0 == rawValue }?.1 ?? "signal \(rawValue)"
  }

  private static let names: [(Int32, String)] = [
    (SIGHUP, "SIGHUP"), (SIGINT, "SIGINT"), (SIGQUIT, "SIGQUIT"), (SIGILL, "SIGILL"),
    (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"), (SIGBUS, "SIGBUS"), (SIGFPE, "SIGFPE"),
    (SIGKILL, "SIGKILL"), (SIGUSR1, "SIGUSR1"), (SIGSEGV, "SIGSEGV"), (SIGUSR2, "SIGUSR2"),
    (SIGPIPE, "SIGPIPE"), (SIGALRM, "SIGALRM"), (SIGTERM, "SIGTERM"), (SIGCHLD, "SIGCHLD"),
    (SIGCONT, "SIGCONT"), (SIGSTOP, "SIGSTOP"), (SIGTSTP, "SIGTSTP"), (SIGTTIN, "SIGTTIN"),
    (SIGTTOU, "SIGTTOU"), (SIGURG, "SIGURG"), (SIGWINCH, "SIGWINCH"), (SIGSYS, "SIGSYS"),
  ]
}
