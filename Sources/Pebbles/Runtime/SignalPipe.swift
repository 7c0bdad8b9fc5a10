#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A pipe to which a signal handler writes the number of each signal that arrives.
///
/// A handler can interrupt a thread at any point, even while the thread holds a lock that the
/// handler would need. Therefore, the handler must not take a lock, allocate memory, or count
/// references. However, it may call `write`, and an ordinary thread reads from the other end of the
/// pipe. This is D. J. Bernstein's self-pipe trick.
///
/// `Dispatch` has signal sources, but a new source becomes active only later, on another thread. A
/// signal that arrives before then is lost. On Linux, Dispatch also blocks signals in the program's
/// threads and leaves them blocked.
///
/// The process has one pipe, which is never closed, because a handler may be about to write to it.
enum SignalPipe {
  /// The disposition that handles a signal by writing its number to the pipe.
  static var disposition: SignalDisposition { .calling(noteSignal) }

  /// Opens the pipe. This function must be called exactly once, before the first handler is
  /// installed.
  ///
  /// - Returns: The file descriptor to read from.
  /// - Throws: `SignalWatchError` if the system cannot open a pipe.
  static func open() throws(SignalWatchError) -> CInt {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw .systemCall("pipe", code: errno) }
    for end in ends {
      // A child process started just before this call may inherit the end, but can do no harm.
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    // A handler must not wait. The pipe holds thousands of numbers, and two signals are enough to
    // end the process, so nothing that matters is lost.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    writingEnd = ends[1]
    return ends[0]
  }

  /// Wakes the thread that reads from the pipe.
  static func nudge() {
    noteSignal(nudgeNumber)
  }

  /// A message from the pipe.
  enum Message {
    case signal(Signal)

    /// A call to `nudge()`.
    case nudge

    /// A failure to read from the pipe, which occurs only if other code has closed the pipe's file
    /// descriptor by mistake.
    case broken
  }

  /// Waits for the next message from the pipe, and returns the message.
  static func next(from readingEnd: CInt) -> Message {
    var number: CInt = 0
    while true {
      // Numbers are short enough to be written and read as a whole or not at all.
      switch read(readingEnd, &number, MemoryLayout<CInt>.size) {
      case MemoryLayout<CInt>.size:
        return number == nudgeNumber ? .nudge : .signal(Signal(rawValue: number))
      case -1 where errno == EINTR: continue
      default: return .broken
      }
    }
  }

  /// The number that represents a call to `nudge()`. No signal has this number.
  private static let nudgeNumber: CInt = 0
}

/// The file descriptor for writing to the pipe. The variable is set only once, before the first
/// handler is installed, so handlers may read it without synchronization. It is a plain number with
/// a constant initial value, because initializing anything else would need the Swift runtime.
nonisolated(unsafe) private var writingEnd: CInt = -1

/// Writes the number of a signal to the pipe. This function is the signal handler.
private func noteSignal(_ number: CInt) {
  // The interrupted thread may be about to read its `errno`.
  let interrupted = errno
  var number = number
  _ = write(writingEnd, &number, MemoryLayout<CInt>.size)
  errno = interrupted
}
