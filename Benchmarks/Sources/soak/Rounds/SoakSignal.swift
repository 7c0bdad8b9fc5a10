import Foundation
import Pebbles
import Synchronization

/// A signal that the process sends to itself. Successive runs wait for different signals: a signal
/// may arrive after its run has ended, and a second one would end the process.
struct SoakSignal: Sendable {
  private static let all = [SIGUSR1, SIGUSR2, SIGALRM, SIGHUP]
  private static let count = Atomic(0)

  let signal: Signal

  static func next() -> SoakSignal {
    let number = count.add(1, ordering: .relaxed).oldValue
    return SoakSignal(signal: Signal(rawValue: all[number % all.count]))
  }

  /// Ignores signals that arrive after their run is over, so that they do not end the soak.
  static func ignoreUnlessWatched() {
    for number in all { Foundation.signal(number, SIG_IGN) }
  }

  func send() {
    kill(getpid(), signal.rawValue)
  }
}
