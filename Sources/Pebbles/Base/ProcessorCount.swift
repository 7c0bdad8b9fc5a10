#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How many processors the system lets this process count on.
enum ProcessorCount {
  /// At least 1; 1 where the system does not tell.
  static let online: Int = {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl)
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    #else
    return 1
    #endif
  }()
}
