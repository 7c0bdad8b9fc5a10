#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Signal {
  /// What is wrong with waiting for any of `signals`, a clause each; empty if nothing is.
  static func faults(in signals: [Signal]) -> [String] {
    if signals.isEmpty { return ["there is no signal to wait for; name one"] }
    var seen: Set<Signal> = []
    return signals.filter { seen.insert($0).inserted }.compactMap(\.fault)
  }

  private var fault: String? {
    switch rawValue {
    case SIGKILL, SIGSTOP:
      "\(self) cannot be caught; wait for another signal"
    case SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS:
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

  private static var ignoredOrStopping: [Int32] {
    let everywhere = [SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU]
    #if canImport(Darwin)
    return everywhere + [SIGIO, SIGINFO]
    #else
    return everywhere
    #endif
  }
}
