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

/// Tests of signal watches. They are serialized, because signals are sent to the whole process.
/// Both signals are ignored at first, so that a signal missed by a watch does not end the tests.
@Suite(.serialized, .watched) struct SignalWatchTests {
  private static let first = Signal(rawValue: SIGUSR1)
  private static let second = Signal(rawValue: SIGUSR2)

  init() {
    signal(SIGUSR1, SIG_IGN)
    signal(SIGUSR2, SIG_IGN)
  }

  @Test(arguments: [first, second])
  func theHandlerIsToldOfASignal(_ signal: Signal) async throws {
    let told = Told()
    let watch = try SignalWatch([Self.first, Self.second], handler: told.handler)

    kill(getpid(), signal.rawValue)
    await told.gate.passed()

    #expect(told.signals.entries == [signal])
    watch.cancel()
  }

  @Test func aSignalRightAfterTheWatchBeganIsNotLost() async throws {
    for _ in 0..<200 {
      let told = Told()
      let watch = try SignalWatch([Self.first], handler: told.handler)
      kill(getpid(), SIGUSR1)
      await told.gate.passed()
      watch.cancel()
    }
  }

  @Test func allWatchesAreTold() async throws {
    let tolds = (0..<3).map { _ in Told() }
    let watches = try tolds.map { try SignalWatch([Self.first], handler: $0.handler) }

    kill(getpid(), SIGUSR1)
    for told in tolds { await told.gate.passed() }

    for watch in watches { watch.cancel() }
  }

  @Test func aWatchThatWasCancelledIsNotTold() async throws {
    let (cancelled, other) = (Told(), Told())
    let first = try SignalWatch([Self.first], handler: cancelled.handler)
    let second = try SignalWatch([Self.first], handler: other.handler)

    first.cancel()
    first.cancel()
    kill(getpid(), SIGUSR1)
    await other.gate.passed()

    #expect(cancelled.signals.entries.isEmpty)
    second.cancel()
  }

  @Test func theDispositionBeforeIsRestoredWithTheLastWatch() throws {
    let before = try #require(SignalDisposition.current(of: Self.first))
    let first = try SignalWatch([Self.first]) { _ in }
    let second = try SignalWatch([Self.first, Self.second]) { _ in }

    first.cancel()
    let meanwhile = try #require(SignalDisposition.current(of: Self.first))
    second.cancel()
    let after = try #require(SignalDisposition.current(of: Self.first))

    #expect(!meanwhile.hasHandler(of: before))
    #expect(after.hasHandler(of: before))
  }

  @Test func aWatchEndsWithItsLife() throws {
    let before = try #require(SignalDisposition.current(of: Self.first))
    var watch: SignalWatch? = try SignalWatch([Self.first]) { _ in }
    _ = watch
    watch = nil

    let after = try #require(SignalDisposition.current(of: Self.first))
    #expect(after.hasHandler(of: before))
  }

  @Test func aHandlerPutOverThatOfTheWatchStays() throws {
    let watch = try SignalWatch([Self.first]) { _ in }
    let replacement = SignalDisposition.calling { _ in }
    replacement.install(for: Self.first)

    watch.cancel()

    let after = try #require(SignalDisposition.current(of: Self.first))
    #expect(after.hasHandler(of: replacement))
  }

  @Test func theHandlerIsLetGoOfWithTheWatch() throws {
    weak var told: Told?
    let watch: SignalWatch
    do {
      let strong = Told()
      told = strong
      watch = try SignalWatch([Self.first]) { _ in strong.gate.open() }
    }
    #expect(told != nil)

    watch.cancel()

    #expect(told == nil)
  }
}

/// A handler that records the signals it receives, and opens a gate.
private final class Told: Sendable {
  let signals = Logbook<Signal>()
  let gate = Gate()

  var handler: @Sendable (Signal) -> Void {
    { signal in
      self.signals.note(signal)
      self.gate.open()
    }
  }
}
