#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A pipe into which a signal handler writes the numbers of the signals that arrive.
///
/// A handler can interrupt a thread at any point, even while the thread holds a lock that the
/// handler would need. Therefore, the handler must not take a lock, allocate memory, or count
/// references. It may call `write`, however, and an ordinary thread reads the other end of the
/// pipe. This is D. J. Bernstein's self-pipe trick.
///
/// `Dispatch` has sources for signals, but a new source becomes active only later, on another
/// thread. A signal that arrives before then is lost. On Linux, Dispatch also blocks signals in
/// threads of the program and leaves them blocked.
///
/// There is one pipe for the process. The pipe is never closed, because a handler may be about to
/// write to it.
enum SignalPipe {
  /// The disposition that handles a signal by writing its number into the pipe.
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

    /// A failure to read from the pipe. It occurs only if other code has closed the file descriptor
    /// of the pipe by mistake.
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

/// Writes the number of a signal into the pipe. This function is the signal handler.
private func noteSignal(_ number: CInt) {
  // The interrupted thread may be about to read its `errno`.
  let interrupted = errno
  var number = number
  _ = write(writingEnd, &number, MemoryLayout<CInt>.size)
  errno = interrupted
}
