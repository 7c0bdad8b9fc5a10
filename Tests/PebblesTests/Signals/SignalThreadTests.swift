#if canImport(Glibc)
import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the thread that receives signals, and of the pipe through which they arrive. Each test
/// runs in a separate process.
@Suite(.watched) struct SignalThreadTests {
  /// Checks that a signal reaches the thread even if all other threads block it, like the threads
  /// of the concurrency pool.
  @Test func aSignalThatItsMakerBlocksGetsThroughToTheThread() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var blocked = sigset_t()
      sigemptyset(&blocked)
      sigaddset(&blocked, SIGUSR1)
      pthread_sigmask(SIG_BLOCK, &blocked, nil)
      let watch = try SignalWatch([Signal(rawValue: SIGUSR1)]) { _ in }

      try await until {
        (try? blockedSignals(ofThread: "pebble-signals").contains(SIGUSR1)) == false
      }

      watch.cancel()
      exit(7)
    }
  }

  @Test func withoutAFileThatCouldBeOpenedThereIsNoWatch() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
      do throws(SignalWatchError) {
        _ = try SignalWatch([.terminate]) { _ in }
      } catch {
        exit(error == .systemCall("pipe", code: EMFILE) ? 7 : 8)
      }
    }
  }
}

/// Returns the signals that the first thread with the given name blocks, according to the system.
private func blockedSignals(ofThread name: String) throws -> Set<CInt> {
  let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
  for thread in threads {
    let status = try String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
    let lines = status.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    guard lines.contains(["Name:", name]),
      let mask = lines.first(where: { $0.first == "SigBlk:" })?.last,
      let bits = UInt64(mask, radix: 16)
    else { continue }
    return Set((1...64).filter { bits >> (UInt64($0) - 1) & 1 == 1 })
  }
  throw NoSuchThread()
}

private struct NoSuchThread: Error {}
#endif
