#if os(macOS) || os(Linux)
import PebblesTestSupport
import Testing

@testable import Pebbles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tests of signals that end a process. Each test runs in a separate process, which sets an alarm
/// that ends it if the signal does not.
@Suite(.watched) struct SignalExitTests {
  @Test func aSecondSignalEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      alarm(secondsToLive)
      let told = Gate()
      let watch = try SignalWatch([.terminate, .interrupt]) { _ in told.open() }

      kill(getpid(), SIGINT)
      await told.passed()
      kill(getpid(), SIGTERM)

      await Gate().passed()
      watch.cancel()
    }
  }

  @Test func aSecondSignalEndsTheProcessWhileItsThreadsAreStuck() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      alarm(secondsToLive)
      let told = Gate()
      let watch = try SignalWatch([.terminate]) { _ in told.open() }
      kill(getpid(), SIGTERM)
      await told.passed()

      let roadblock = Roadblock(for: 1)
      for _ in 0..<64 { Task.detached { roadblock.hold() } }
      // Whatever it needed a thread of the pool for would come after those.
      kill(getpid(), SIGTERM)

      roadblock.hold()
      watch.cancel()
    }
  }

  @Test func afterItsWatchASignalEndsTheProcessAsBefore() async {
    await #expect(processExitsWith: .signal(SIGUSR1)) {
      alarm(secondsToLive)
      let watch = try SignalWatch([Signal(rawValue: SIGUSR1)]) { _ in }
      watch.cancel()

      kill(getpid(), SIGUSR1)

      await Gate().passed()
    }
  }

  /// Checks a signal that is in the pipe, or about to enter it, when the watch is released.
  @Test func aSignalThatNoWatchWasToldOfEndsTheProcessAsBefore() async {
    await #expect(processExitsWith: .signal(SIGUSR1)) {
      alarm(secondsToLive)
      let told = Gate()
      let relayed = Roadblock(for: 1)
      // Keeps the thread of the relay, so that what comes next stays in the pipe.
      let other = try SignalWatch([Signal(rawValue: SIGUSR2)]) { _ in
        told.open()
        relayed.hold()
      }
      let watch = try SignalWatch([Signal(rawValue: SIGUSR1)]) { _ in }
      kill(getpid(), SIGUSR2)
      await told.passed()
      kill(getpid(), SIGUSR1)
      watch.cancel()
      relayed.open()

      await Gate().passed()
      other.cancel()
    }
  }

  /// Checks a signal whose handler was saved by other code while a watch existed, and was restored
  /// by that code after the watch had been cancelled.
  @Test func aSignalWhoseHandlerIsPutBackEndsTheProcessAsBefore() async {
    await #expect(processExitsWith: .signal(SIGUSR1)) {
      alarm(secondsToLive)
      let signal = Signal(rawValue: SIGUSR1)
      let watch = try SignalWatch([signal]) { _ in }
      let found = SignalDisposition.current(of: signal)
      watch.cancel()
      found?.install(for: signal)

      kill(getpid(), SIGUSR1)

      await Gate().passed()
    }
  }

  @Test func aProgramThatHandsTheSignalOnIsNotEnded() async {
    await #expect(processExitsWith: .exitCode(7)) {
      alarm(secondsToLive)
      let told = Gate()
      let watch = try SignalWatch([.terminate]) { _ in told.open() }
      kill(getpid(), SIGTERM)
      await told.passed()
      watch.cancel()
      exit(7)
    }
  }
}

private let secondsToLive: UInt32 = 30
#endif
