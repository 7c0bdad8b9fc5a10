#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An operating-system thread, separate from the threads of Swift's concurrency pool.
package enum SystemThread {
  /// Starts a thread that calls `body` once and ends.
  ///
  /// - Parameters:
  ///   - name: The name that debuggers show, in ASCII. Linux limits names to 15 bytes.
  ///   - body: The function that the thread calls.
  /// - Returns: Whether the thread was started. If the system is out of threads or memory, the
  ///   thread is not started and `body` is not called.
  package static func start(
    named name: StaticString, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    // With `begin` alone, the compiler (6.3.1) crashes.
    let isStarted = pthread_create(&thread, nil, { SystemThread.begin($0) }, start.toOpaque()) == 0
    if !isStarted { start.release() }
    return isStarted
  }

  /// The arguments of a new thread, combined in one object, because a thread receives only one
  /// pointer.
  private final class Start: Sendable {
    let name: StaticString
    let body: @Sendable () -> Void

    init(name: StaticString, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  // Optional, because on some systems the pointer is optional.
  private static func begin(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    // No thread joins this one, so nothing else would release its memory.
    pthread_detach(pthread_self())
    let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
    nameCurrentThread(start.name)
    start.body()
    return nil
  }

  private static func nameCurrentThread(_ name: StaticString) {
    #if canImport(Darwin)
    name.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // A static string ends with the zero that C expects.
        if let text = characters.baseAddress { pthread_setname_np(text) }
      }
    }
    #else
    // `pthread_setname_np` is a GNU extension that Swift does not see. Writing to this file has the
    // same effect.
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = name.withUTF8Buffer { write(file, $0.baseAddress, $0.count) }
    close(file)
    #endif
  }
}

/// A thread identifier that is unique within the process while the thread exists.
package struct ThreadIdentity: Hashable, Sendable {
  private let number: UInt

  /// The identifier of the calling thread.
  package static var current: ThreadIdentity {
    #if canImport(Glibc)
    ThreadIdentity(number: UInt(pthread_self()))
    #else
    ThreadIdentity(number: UInt(bitPattern: pthread_self()))
    #endif
  }
}
