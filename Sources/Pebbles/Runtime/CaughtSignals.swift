#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Synchronization

/// What the signal handler leaves behind, and the pipe it wakes the relay with.
///
/// All of it may be touched from inside a signal handler: atomics and `write`, no lock and no
/// allocation. `openPipe()` initializes these globals before the first handler is installed.
enum CaughtSignals {
  /// Bit *n* - 1 is set when signal *n* has been caught. A set rather than a queue: it cannot be
  /// full, however many signals come.
  private static let pending = Atomic<UInt64>(0)

  /// The end of the pipe to write to.
  private static let bell = Atomic<Int32>(-1)

  /// The signal handler.
  static let handler: @convention(c) (Int32) -> Void = { number in
    // The code that was interrupted may be about to read it.
    let interrupted = errno
    pending.bitwiseOr(1 << UInt64(truncatingIfNeeded: number &- 1), ordering: .releasing)
    wake()
    errno = interrupted
  }

  /// - Returns: The end to read from, or `nil` if the system has no descriptors to give.
  static func openPipe() -> Int32? {
    pending.store(0, ordering: .relaxed)
    _ = handler
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not wait. If the pipe is full, the relay is about to wake up anyway.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    bell.store(ends[1], ordering: .releasing)
    return ends[0]
  }

  static func wake() {
    var byte: UInt8 = 0
    _ = write(bell.load(ordering: .acquiring), &byte, 1)
  }

  /// Blocks the thread until `wake()` has been called since the last time.
  static func sleep(_ descriptor: Int32) {
    var bytes: (UInt64, UInt64) = (0, 0)
    // Interrupted or not: who sleeps looks at the signals afterwards and comes back.
    _ = read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes))
  }

  /// - Returns: The signals caught since the last time, by number.
  static func takeAll() -> [Signal] {
    var bits = pending.exchange(0, ordering: .acquiring)
    var signals: [Signal] = []
    while bits != 0 {
      signals.append(Signal(rawValue: Int32(bits.trailingZeroBitCount) + 1))
      bits &= bits - 1
    }
    return signals
  }
}
