#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// State behind a lock on which threads can wait for a change.
///
/// `Mutex` guards everything else, but a thread cannot wait on one, and the standard library has
/// no condition variable; so this wraps the system's pair. It is for threads of our own: a thread
/// of the concurrency pool must never wait here.
///
/// Safe to share: `state` is read and written only between `lock()` and `unlock()`.
final class Monitor<State: Sendable>: @unchecked Sendable {
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
    pthread_cond_init(condition, nil)
    #else
    // Deadlines on the wall clock, the default, would move when somebody sets it.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Wakes one of the threads that wait, if any does. To be called after the change it waits for.
  func wakeOne() {
    pthread_cond_signal(condition)
  }

  /// Blocks the thread until `take` finds what it looks for.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait; with zero or less, `take` is asked once and nothing waits.
  ///   - take: Asked at once and after every wake-up, with the lock held.
  ///   - giveUp: Called, under the same lock as the last `take`, when the time is over.
  /// - Returns: What `take` found, or `nil` when the time is over.
  func value<Value>(
    within timeout: Duration, _ take: (inout State) -> Value?,
    otherwise giveUp: (inout State) -> Void
  ) -> Value? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let deadline = Deadline(after: timeout)
    var isLate = timeout <= .zero
    while true {
      // The access to `state` ends before the wait, during which others change it.
      if let value = take(&state) { return value }
      if isLate {
        giveUp(&state)
        return nil
      }
      isLate = !wait(until: deadline)
    }
  }

  /// - Returns: Whether something woke the thread before the deadline.
  private func wait(until deadline: Deadline) -> Bool {
    var time = deadline.time
    #if canImport(Darwin)
    return pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0
    #else
    return pthread_cond_timedwait(condition, mutex, &time) == 0
    #endif
  }
}

/// The end of a wait, as the system's condition variable wants it: an instant of the monotonic
/// clock, or on Darwin, which cannot do that, a length of time (so a wake-up for nothing prolongs
/// the wait).
private struct Deadline {
  let time: timespec

  init(after timeout: Duration) {
    // 36 years are as good as forever, and far from any overflow.
    let nanoseconds = min(timeout.nanoseconds, 1 << 60)
    var start = timespec()
    #if !canImport(Darwin)
    clock_gettime(CLOCK_MONOTONIC, &start)
    #endif
    let sum = UInt64(start.tv_nsec) + nanoseconds
    time = timespec(
      tv_sec: start.tv_sec + .init(sum / 1_000_000_000), tv_nsec: .init(sum % 1_000_000_000))
  }
}
