#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the process, upon which the input is kept, if something is not as it always has to be.
///
/// - Parameters:
///   - isTrue: What has to be so.
///   - sentence: What is wrong otherwise.
public func expect(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
  if !isTrue { fail(sentence()) }
}

/// Ends the process, upon which the input is kept.
///
/// - Parameter sentence: What is wrong.
public func fail(_ sentence: String) -> Never {
  let line = "fuzz: \(sentence)\n"
  line.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
  abort()
}
