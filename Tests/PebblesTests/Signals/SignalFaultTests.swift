import Testing

@testable import Pebbles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite struct SignalFaultTests {
  @Test func signalsThatAskToEndCanBeWaitedFor() {
    let signals: [Signal] = [
      .terminate, .interrupt, .hangup, .quit, .interrupt, Signal(rawValue: SIGUSR1),
    ]

    #expect(Signal.faults(in: signals).isEmpty)
  }

  @Test func anEmptySetIsAFault() {
    #expect(Signal.faults(in: []) == ["there is no signal to wait for; name one"])
  }

  @Test(arguments: [
    (SIGKILL, "SIGKILL cannot be caught; wait for another signal"),
    (SIGSTOP, "SIGSTOP cannot be caught; wait for another signal"),
    (
      SIGSEGV,
      "SIGSEGV reports an error of the program, which cannot go on to shut down; wait for another "
        + "signal"
    ),
    (
      SIGWINCH,
      "SIGWINCH does not end a program, so a second one could not either; wait for another signal"
    ),
    (0, "0 is not the number of a signal; wait for one that exists"),
    (-1, "-1 is not the number of a signal; wait for one that exists"),
    (1000, "1000 is not the number of a signal; wait for one that exists"),
    (.min, "-2147483648 is not the number of a signal; wait for one that exists"),
    (.max, "2147483647 is not the number of a signal; wait for one that exists"),
  ])
  func aSignalThatCannotBeWaitedForIsAFault(number: Int32, clause: String) {
    #expect(Signal.faults(in: [.terminate, Signal(rawValue: number)]) == [clause])
  }

  @Test func everyFaultIsListedOnce() {
    let signals = [SIGKILL, 0, SIGKILL, SIGCHLD].map(Signal.init(rawValue:))

    #expect(Signal.faults(in: signals).count == 3)
  }

  @Test func aWatchForSuchSignalsThrowsAllFaults() {
    let signals = [SIGKILL, 0].map(Signal.init(rawValue:))

    #expect(throws: SignalWatchError.unwatchable(Signal.faults(in: signals))) {
      _ = try SignalWatch(signals) { _ in }
    }
  }

  @Test func aSignalIsCalledByItsName() {
    #expect("\(Signal.terminate)" == "SIGTERM")
    #expect("\(Signal(rawValue: 99))" == "signal 99")
  }

  @Test func aFailureOfTheSystemIsASentence() {
    #expect(
      "\(SignalWatchError.systemCall("pipe", code: 24))"
        == "signals cannot be watched: the system call pipe failed with error 24; it may be out "
        + "of open files or threads")
  }
}
