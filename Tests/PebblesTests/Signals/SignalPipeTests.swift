import Testing

@testable import Pebbles

/// What is told where there is no such signal or file.
@Suite struct SignalPipeTests {
  @Test func aSignalThatDoesNotExistCallsNothing() {
    let signal = Signal(rawValue: 1_000)

    #expect(SignalDisposition.current(of: signal) == nil)
    #expect(!SignalPipe.disposition.isInstalled(for: signal))
    #expect(!SignalDisposition.byDefault.isInstalled(for: signal))
  }

  /// Other code has closed a file that was not its own.
  @Test func aPipeThatCannotBeReadIsBroken() {
    guard case .broken = SignalPipe.next(from: -1) else {
      Issue.record("it is not broken")
      return
    }
  }
}
