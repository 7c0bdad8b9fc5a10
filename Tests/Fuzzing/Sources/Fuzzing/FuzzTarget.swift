import CLibFuzzer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A target of the fuzzer: code that reads arbitrary bytes, and the expectations that it must meet
/// for all of them.
public struct FuzzTarget: Sendable {
  let name: String
  let examine: @Sendable (_ bytes: [UInt8]) -> Void

  /// Creates a target.
  ///
  /// - Parameters:
  ///   - name: The name of the target.
  ///   - examine: A closure that uses the bytes like a user would, and calls ``fail(_:)`` if
  ///     something is wrong.
  public init(_ name: String, examine: @escaping @Sendable (_ bytes: [UInt8]) -> Void) {
    self.name = name
    self.examine = examine
  }

  /// The maximum processor time for an input of less than 100 kB, in seconds. No answer takes more
  /// than a second otherwise, and the counters and assertions make the code about four times
  /// slower.
  private static let mostSeconds = 4.0

  /// The target that is tested. It is set before the fuzzer first calls it.
  nonisolated(unsafe) private static var chosen: FuzzTarget?

  /// Runs libFuzzer with its usual command line, which either generates inputs or tries files, and
  /// ends the process. The environment variable `FUZZ_TARGET` names the target. It is not a
  /// command-line argument, because libFuzzer restarts the program with arguments of its own.
  ///
  /// - Parameter targets: All targets.
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

  /// Returns the processor time of this thread, in seconds. It depends only slightly on the load of
  /// the machine.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Examines an input. libFuzzer calls this function for each input.
private func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.examine(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
