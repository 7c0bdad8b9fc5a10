#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps, in debug builds, that every thread takes the locks that it holds at the same time in one
/// order: so no two threads can wait for each other's.
package enum LockOrder {
  /// Takes a lock.
  ///
  /// - Parameters:
  ///   - place: Its place in the order; greater than that of any lock that the thread holds.
  ///   - locked: Takes it, and gives it back.
  /// - Returns: What that returns.
  @inline(__always)
  package static func keeping<Result>(_ place: Int, _ locked: () -> Result) -> Result {
    #if DEBUG
    let held = Int(bitPattern: pthread_getspecific(key))
    precondition(held < place, "a lock of place \(place) is taken under one of place \(held)")
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: place))
    defer { pthread_setspecific(key, UnsafeRawPointer(bitPattern: held)) }
    #endif
    return locked()
  }

  #if DEBUG
  /// Under it a thread keeps the place of the last lock that it has taken.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "the system is out of keys")
    return key
  }()
  #endif
}
