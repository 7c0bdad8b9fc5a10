import CLibFuzzer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `fuzz TARGET [OPTION …] [FOLDER or FILE …]`: makes up inputs for a target, or tries files. All
/// behind the target is libFuzzer's.
@main struct Fuzz {
  static func main() {
    _ = FuzzTarget.chosen
    var words = [CommandLine.unsafeArgv[0]] + CommandLine.arguments.dropFirst(2).map { strdup($0) }
    var count = CInt(words.count)
    words.append(nil)
    words.withUnsafeMutableBufferPointer { words in
      var start = words.baseAddress
      exit(LLVMFuzzerRunDriver(&count, &start, examine))
    }
  }
}

/// Tries an input.
private func examine(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let begin = processorTime()
  FuzzTarget.chosen.examine(bytes)
  let seconds = processorTime() - begin
  expect(
    count >= 100_000 || seconds <= FuzzTarget.mostSeconds,
    "\(count) bytes took \(seconds) s of processor time")
  return 0
}

/// Of this thread, in seconds: a machine that is busy with something else changes little.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Ends the process, upon which the input is kept, if something is not as it always has to be.
func expect(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
  if !isTrue { fail(sentence()) }
}

/// Ends the process, upon which the input is kept.
func fail(_ sentence: String) -> Never {
  let line = "fuzz: \(sentence)\n"
  line.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
  abort()
}
