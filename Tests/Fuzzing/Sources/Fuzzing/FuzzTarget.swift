import CLibFuzzer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A target for the fuzzer: code that reads untrusted input, and checks properties that hold for
/// any bytes.
public struct FuzzTarget: Sendable {
  let name: String
  let examine: @Sendable (_ bytes: [UInt8]) -> Void

  /// Creates a target.
  ///
  /// - Parameters:
  ///   - name: The name of the target.
  ///   - examine: A function that uses the bytes as a user would, and calls ``fail(_:)`` if
  ///     something is wrong.
  public init(_ name: String, examine: @escaping @Sendable (_ bytes: [UInt8]) -> Void) {
    self.name = name
    self.examine = examine
  }

  /// The maximum processor time in seconds for an input of less than 100 kB. No input takes more
  /// than a second in a normal build, and counters and assertions make it about four times as slow.
  private static let mostSeconds = 4.0

  /// The target that is being fuzzed. It is set before it is first read.
  nonisolated(unsafe) private static var chosen: FuzzTarget?

  /// Fuzzes the target named by `FUZZ_TARGET` in the environment, or tries files, depending on the
  /// arguments, which are those of libFuzzer. libFuzzer may start the program again, so the name of
  /// the target is not an argument. Ends the process.
  ///
  /// - Parameter targets: The available targets.
  public static func run(_ targets: [FuzzTarget]) -> Never {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
    chosen = targets.first { $0.name == name }
    guard chosen != nil else {
      print("fuzz: FUZZ_TARGET should be one of \(targets.map(\.name).joined(separator: ", "))")
      exit(2)
    }
    var words = CommandLine.arguments.map { strdup($0) }
    var count = CInt(words.count)
    words.append(nil)
    return words.withUnsafeMutableBufferPointer { words in
      var start = words.baseAddress
      exit(LLVMFuzzerRunDriver(&count, &start, tryInput))
    }
  }

  fileprivate static func examine(_ bytes: [UInt8]) {
    let begin = processorTime()
    chosen?.examine(bytes)
    let seconds = processorTime() - begin
    expect(
      bytes.count >= 100_000 || seconds <= mostSeconds,
      "\(bytes.count) bytes took \(seconds) s of processor time")
  }

  /// Returns the processor time of the current thread in seconds. It hardly depends on the other
  /// work of the machine.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Tests one input. This function is called by libFuzzer.
private func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.examine(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
