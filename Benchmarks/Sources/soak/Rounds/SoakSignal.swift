import Foundation
import Pebbles
import Synchronization

/// A signal that the process sends to itself. Successive runs wait for different signals. A signal
/// that arrives after its run has ended therefore does not reach the next run, where a second
/// signal would end the process.
struct SoakSignal: Sendable {
  private static let all = [SIGUSR1, SIGUSR2, SIGALRM, SIGHUP]
  private static let count = Atomic(0)

  let signal: Signal

  static func next() -> SoakSignal {
    let number = count.add(1, ordering: .relaxed).oldValue
    return SoakSignal(signal: Signal(rawValue: all[number % all.count]))
  }

  /// Ignores the signals of the soak while no run is waiting for them, so that a late signal does
  /// not end the process.
  static func ignoreUnlessWatched() {
    for number in all { Foundation.signal(number, SIG_IGN) }
  }

  func send() {
    kill(getpid(), signal.rawValue)
  }
}
