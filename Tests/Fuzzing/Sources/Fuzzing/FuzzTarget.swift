import CLibFuzzer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Something that reads what others have written, and what is true of it for any bytes.
public struct FuzzTarget: Sendable {
  let name: String
  let examine: @Sendable (_ bytes: [UInt8]) -> Void

  /// Makes a target.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - examine: Does with the bytes what a user would, and calls ``fail(_:)`` if something is
  ///     wrong.
  public init(_ name: String, examine: @escaping @Sendable (_ bytes: [UInt8]) -> Void) {
    self.name = name
    self.examine = examine
  }

  /// For how long an input of less than 100 kB may be worked on. No answer takes over a second;
  /// counters and assertions make all of them about four times as slow.
  private static let mostSeconds = 4.0

  /// The one that is tried; set before it is asked for the first time.
  nonisolated(unsafe) private static var chosen: FuzzTarget?

  /// Makes up inputs for the target that `FUZZ_TARGET` names in the environment, or tries files, as
  /// the command line says in words of libFuzzer. That calls the program again for some, so the
  /// name is none of them. Ends the process.
  ///
  /// - Parameter targets: The targets that there are.
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

  /// Of this thread, in seconds: a machine that is busy with something else changes little.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// What libFuzzer calls with each input.
private func tryInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.examine(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
