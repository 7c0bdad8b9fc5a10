#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the process if a condition is false. The fuzzer then keeps the input.
///
/// - Parameters:
///   - isTrue: A condition that must be true for every input.
///   - sentence: A description of the problem if the condition is false.
public func expect(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
  if !isTrue { fail(sentence()) }
}

/// Ends the process. The fuzzer then keeps the input.
///
/// - Parameter sentence: A description of the problem.
public func fail(_ sentence: String) -> Never {
  let line = "fuzz: \(sentence)\n"
  line.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
  abort()
}
