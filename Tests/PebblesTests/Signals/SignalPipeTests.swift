import Testing

@testable import Pebbles

/// Tests of signals and files that do not exist.
@Suite struct SignalPipeTests {
  @Test func aSignalThatDoesNotExistCallsNothing() {
    let signal = Signal(rawValue: 1_000)

    #expect(SignalDisposition.current(of: signal) == nil)
    #expect(!SignalPipe.disposition.isInstalled(for: signal))
    #expect(!SignalDisposition.byDefault.isInstalled(for: signal))
  }

  /// Checks a pipe whose file has been closed by other code by mistake.
  @Test func aPipeThatCannotBeReadIsBroken() {
    guard case .broken = SignalPipe.next(from: -1) else {
      Issue.record("it is not broken")
      return
    }
  }
}
