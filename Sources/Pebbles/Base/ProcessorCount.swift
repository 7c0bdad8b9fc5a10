#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The number of processors in the machine.
enum ProcessorCount {
  /// The number of processors that are online, or 1 if the system does not report a number. Tests
  /// can override the number for the runs that they start.
  @TaskLocal static var online = known

  private static var known: Int {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl)
    max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    #else
    1
    #endif
  }
}
