#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How many processors the machine has.
enum ProcessorCount {
  /// Those that are at work; at least 1, and 1 where the system does not tell. Others for the runs
  /// that are started in a task of a test.
  @TaskLocal static var online = known

  private static var known: Int {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl)
    max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    #else
    1
    #endif
  }
}
