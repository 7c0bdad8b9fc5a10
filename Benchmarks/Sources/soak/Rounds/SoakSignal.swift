import Foundation
import Pebbles
import Synchronization

/// The signals that the process sends itself. One run at a time waits for one, and the next run for
/// another: a signal may still be on its way when its run has ended, and two end the process.
struct SoakSignal: Sendable {
  private static let all = [SIGUSR1, SIGUSR2, SIGALRM, SIGHUP]
  private static let count = Atomic(0)

  let signal: Signal

  static func next() -> SoakSignal {
    let number = count.add(1, ordering: .relaxed).oldValue
    return SoakSignal(signal: Signal(rawValue: all[number % all.count]))
  }

  /// A signal that comes when its run is over must not end the soak.
  static func ignoreUnlessWatched() {
    for number in all { Foundation.signal(number, SIG_IGN) }
  }

  func send() {
    kill(getpid(), signal.rawValue)
  }
}
