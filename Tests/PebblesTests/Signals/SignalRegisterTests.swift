import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite struct SignalRegisterTests {
  private var register = SignalRegister()
  private let calls = Logbook<String>()

  @Test mutating func theFirstSignalOfASetIsForTheHandlerTheSecondEndsTheProcess() {
    _ = add("a", [.terminate, .interrupt])

    #expect(arrival(of: .interrupt) == "a:SIGINT")
    #expect(arrival(of: .terminate) == "end")
  }

  @Test mutating func allWatchesForASignalAreTold() {
    _ = add("a", [.terminate])
    _ = add("b", [.terminate, .hangup])
    _ = add("c", [.hangup])

    #expect(arrival(of: .terminate) == "a:SIGTERM b:SIGTERM")
  }

  @Test mutating func theSecondSignalEndsTheProcessAlsoIfOneOfTheWatchesIsGone() {
    let first = add("a", [.terminate])
    _ = add("b", [.terminate])
    #expect(arrival(of: .terminate) == "a:SIGTERM b:SIGTERM")

    _ = register.remove(first)

    #expect(arrival(of: .terminate) == "end")
  }

  @Test mutating func aSignalThatIsTheSecondForOneWatchOnlyEndsTheProcess() {
    _ = add("a", [.terminate, .hangup])
    _ = add("b", [.hangup])

    #expect(arrival(of: .terminate) == "a:SIGTERM")
    #expect(arrival(of: .hangup) == "end")
  }

  @Test mutating func watchesCountForThemselves() {
    _ = add("a", [.terminate])
    _ = add("b", [.hangup])

    #expect(arrival(of: .terminate) == "a:SIGTERM")
    #expect(arrival(of: .hangup) == "b:SIGHUP")
  }

  @Test mutating func aWatchThatWasRemovedIsToldNothing() {
    let first = add("a", [.terminate])
    _ = add("b", [.terminate])

    #expect(register.remove(first) != nil)
    #expect(register.remove(first) == nil)
    #expect(arrival(of: .terminate) == "b:SIGTERM")
  }

  @Test mutating func aSignalWithoutWatchIsPassedOn() {
    let first = add("a", [.terminate])
    _ = register.remove(first)

    #expect(arrival(of: .terminate) == "pass on")
  }

  @Test mutating func theSignalsAreThoseOfTheWatchesThereAre() {
    let first = add("a", [.terminate, .interrupt])
    _ = add("b", [.interrupt])
    #expect(register.signals == [.terminate, .interrupt])

    _ = register.remove(first)

    #expect(register.signals == [.interrupt])
  }

  private mutating func add(_ name: String, _ signals: Set<Signal>) -> Int {
    let calls = calls
    return register.add(signals) { calls.note("\(name):\($0)") }
  }

  private mutating func arrival(of signal: Signal) -> String {
    switch register.signalArrived(signal) {
    case .call(let handlers):
      let before = calls.count
      for handler in handlers { handler(signal) }
      return calls.entries[before...].joined(separator: " ")
    case .endProcess:
      return "end"
    case .passOn:
      return "pass on"
    }
  }
}
