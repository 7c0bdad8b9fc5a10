#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A thread outside Swift's concurrency pool.
enum SystemThread {
  /// Starts a thread that ends when `body` does. Nobody can wait for its end.
  ///
  /// It has the stack and the signal mask that the system gives to threads made by the caller.
  ///
  /// - Returns: Whether the system had a thread to give; if not, `body` is not called.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    let failure = pthread_create(&thread, &attributes, run, work.toOpaque())
    // Nobody else is going to release it.
    if failure != 0 { work.release() }
    return failure == 0
  }
}

#if canImport(Darwin)
private typealias Argument = UnsafeMutableRawPointer
#else
private typealias Argument = UnsafeMutableRawPointer?
#endif

/// What the system calls on the new thread.
private func run(_ argument: Argument) -> UnsafeMutableRawPointer? {
  let argument: UnsafeMutableRawPointer? = argument
  if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
  return nil
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
