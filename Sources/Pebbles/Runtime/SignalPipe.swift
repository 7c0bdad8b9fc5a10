#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A pipe into which a signal handler writes the numbers of the signals that arrive.
///
/// A handler interrupts a thread anywhere, perhaps while that holds the very lock the handler would
/// need. So it may do next to nothing: take no lock, allocate nothing, count no reference. What it
/// may do is `write`, and the end to read from is an ordinary thread's. This is D. J. Bernstein's
/// self-pipe trick.
///
/// `Dispatch` has sources for signals, but it takes note of a new one some time later, on another
/// thread, and a signal that arrives before that is lost; on Linux it blocks signals in threads of
/// the program and leaves them so.
///
/// There is one pipe for the process and it is never closed: a handler may be about to write.
enum SignalPipe {
  /// What a signal must do to be written into the pipe.
  static var disposition: SignalDisposition { .calling(noteSignal) }

  /// Opens the pipe. Called once, before the first handler is installed.
  ///
  /// - Returns: The end to read from.
  /// - Throws: Why the system refuses.
  static func open() throws(SignalWatchError) -> CInt {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw .systemCall("pipe", code: errno) }
    for end in ends {
      // A child that gets hold of an end all the same, in between, can do no harm with it.
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    // A handler must not wait. A pipe takes thousands of numbers, and two signals are enough to end
    // the process, so nothing is lost that matters.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    writingEnd = ends[1]
    return ends[0]
  }

  /// Wakes the reader.
  static func nudge() {
    noteSignal(nudgeNumber)
  }

  /// What comes out of the pipe.
  enum Message {
    case signal(Signal)

    /// `nudge()` was called.
    case nudge

    /// The pipe is of no use any more: other code has closed a file that was not its own.
    case broken
  }

  /// Waits for the next message.
  static func next(from readingEnd: CInt) -> Message {
    var number: CInt = 0
    while true {
      // Numbers are so short that they are written whole or not at all, and so read whole.
      switch read(readingEnd, &number, MemoryLayout<CInt>.size) {
      case MemoryLayout<CInt>.size:
        return number == nudgeNumber ? .nudge : .signal(Signal(rawValue: number))
      case -1 where errno == EINTR: continue
      default: return .broken
      }
    }
  }

  /// No signal has it.
  private static let nudgeNumber: CInt = 0
}

/// Set before the first handler is installed and never again, so handlers may read it unguarded. A
/// plain number that is there from the start, as anything more would need the runtime.
nonisolated(unsafe) private var writingEnd: CInt = -1

/// The handler.
private func noteSignal(_ number: CInt) {
  // The thread that was interrupted may be about to look at its own.
  let interrupted = errno
  var number = number
  _ = write(writingEnd, &number, MemoryLayout<CInt>.size)
  errno = interrupted
}
