#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A check that all threads take locks in the same order, so that no two threads can wait for each
/// other's locks. The check is made in debug builds only.
package enum LockOrder {
  /// Calls a function that takes a lock. In debug builds, checks the order of the locks first.
  ///
  /// - Parameters:
  ///   - place: The position of the lock in the order, which must be greater than the position of
  ///     any lock that the thread holds.
  ///   - locked: A function that takes the lock, does its work, and releases the lock.
  /// - Returns: The result of `locked`.
  @inline(__always)
  package static func keeping<Result>(_ place: Int, _ locked: () -> Result) -> Result {
    #if DEBUG
    let held = Int(bitPattern: pthread_getspecific(key))
    precondition(held < place, "lock \(place) is taken while lock \(held) is held")
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: place))
    defer { pthread_setspecific(key, UnsafeRawPointer(bitPattern: held)) }
    #endif
    return locked()
  }

  #if DEBUG
  /// The key under which each thread stores the highest position of the locks that it holds, or 0
  /// if it holds no locks.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "the system is out of keys")
    return key
  }()
  #endif
}
