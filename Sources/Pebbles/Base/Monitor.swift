#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A monitor as described by C. A. R. Hoare in 1974: state behind a lock, and a way for threads to
/// wait until the state changes.
///
/// The rest of the library uses `Mutex`. However, the standard library has no condition variable,
/// and without one, an idle thread could only spin. Therefore, this type uses the POSIX lock and
/// condition variable. Wait only on threads that may be blocked, never in a task on the concurrency
/// pool.
///
/// A thread that changes the state must notify the others in the same call to `withLock(_:)`. As
/// soon as the lock is free, another thread may see the change, continue, and release the owner of
/// the monitor. A later notification would then touch memory that has been freed.
///
/// Safe to share: `state` is accessed only by the thread that has locked `mutex`.
package final class Monitor<State: Sendable>: @unchecked Sendable {
  private var state: State

  // Allocated, because neither may ever move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    let mutexStatus = pthread_mutex_init(mutex, nil)
    let conditionStatus = pthread_cond_init(condition, nil)
    precondition(mutexStatus == 0 && conditionStatus == 0, "the system is out of locks")
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Wakes one of the waiting threads, if there are any, so that it examines the state again.
  package func notifyOne() {
    pthread_cond_signal(condition)
  }

  /// Wakes all waiting threads, so that they examine the state again.
  package func notifyAll() {
    pthread_cond_broadcast(condition)
  }

  /// Blocks the calling thread until `body` returns a value, or until the time is up. Calls `body`
  /// at the beginning, after each notification, and once more when the time is up.
  ///
  /// - Parameters:
  ///   - time: The maximum time to wait, at most one day; `nil` for no limit. The time is measured
  ///     by the wall clock. Setting the clock during the wait makes the wait longer or shorter, so
  ///     callers must not depend on the exact time.
  ///   - body: A function that examines the state, and may change it. It returns `nil` to wait
  ///     longer.
  ///   - timeUp: A function that is called if the last call to `body`, made when the time is up,
  ///     also returns `nil`. Both calls are made in the same critical section.
  /// - Returns: The value that `body` returned; `nil` if it returned none before the time was up,
  ///   nor in the last call.
  package func wait<Result>(
    atMost time: Duration? = nil, until body: (inout State) -> Result?,
    timeUp: (inout State) -> Void = { _ in }
  ) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let result = body(&state) { return result }
    let deadline = time.map(Self.deadline(after:))
    while true {
      let isTimeUp = waitForNotification(until: deadline) == ETIMEDOUT
      if let result = body(&state) { return result }
      if isTimeUp {
        timeUp(&state)
        return nil
      }
    }
  }

  private func waitForNotification(until deadline: timespec?) -> CInt {
    guard var deadline else { return pthread_cond_wait(condition, mutex) }
    return pthread_cond_timedwait(condition, mutex, &deadline)
  }

  private static func deadline(after time: Duration) -> timespec {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    let (seconds, attoseconds) = min(max(time, .zero), .seconds(24 * 60 * 60)).components
    deadline.tv_sec += Int(seconds)
    deadline.tv_nsec += Int(attoseconds / 1_000_000_000)
    if deadline.tv_nsec >= 1_000_000_000 {
      deadline.tv_nsec -= 1_000_000_000
      deadline.tv_sec += 1
    }
    return deadline
  }
}
