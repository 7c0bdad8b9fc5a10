import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of the pebbles that may handle a failure according to the conditions.
@Suite struct FailureReadersTests {
  private let pond = Pond("boot")

  private func readers(optional: Set<Int> = []) throws -> FailureReaders {
    FailureReaders(Circuit(try pond.model().pond).network, optional: optional)
  }

  /// Checks a pebble that reads a skip caused by the failure, but also needs the failed pebble to
  /// succeed. It is certain to be skipped, so it cannot handle the failure.
  @Test func whatTheFailureSurelySkipsHandlesItInNoWay() throws {
    let load = pond.pebble("load") {}
    let store = pond.pebble("store", when: load.succeeded) {}
    pond.pebble("mend", when: store.skipped && load.succeeded) {}
    var readers = try readers()

    guard case .pebbles(let handlers) = readers.handlers(of: 0) else {
      Issue.record("there are too many")
      return
    }

    #expect(handlers.isEmpty)
  }

  /// Checks that a pebble that may be disabled is not certain to pass on a failure, because it is
  /// skipped regardless of any failure if it is disabled.
  @Test(arguments: [(false, [1, 2]), (true, [1])])
  func aPebbleThatMayBeDisabledHandsOnNothingForSure(isSure: Bool, expected: [Int]) throws {
    let load = pond.pebble("load") {}
    let store = pond.pebble("store", when: load.succeeded) {}
    pond.pebble("show", when: store.settled) {}
    var readers = try readers(optional: [1])

    let found = readers.everyReader(of: 0, after: .failed, without: [], isSure: isSure)

    #expect(found == expected)
  }

  /// Checks that the limit applies to the steps of all questions together. Each question takes
  /// three steps here.
  @Test(arguments: [6, 7])
  func theStepsOfAllQuestionsAreCounted(mostSteps: Int) throws {
    let load = pond.pebble("load") {}
    for name in ["a", "b"] { pond.pebble(name, when: load.completed) {} }
    let network = Circuit(try pond.model().pond).network
    var one = FailureReaders(network, optional: [], mostSteps: mostSteps)
    var other = one

    let readers = (1...2).map { _ in
      one.everyReader(of: 0, after: .failed, without: [], isSure: false)
    }
    let handlers = (1...2).map { _ in
      if case .pebbles(let pebbles) = other.handlers(of: 0) { pebbles } else { nil as [Int]? }
    }

    let isEnough = mostSteps > 6
    #expect(readers == [[1, 2], isEnough ? [1, 2] : nil])
    #expect(handlers == readers)
  }

  /// Checks that up to 64 possible handlers, none of which can run, are examined one by one. If
  /// there are more, one of them is assumed to be able to run.
  @Test(arguments: [64, 65])
  func upToSixtyFourHandlersAreLookedAt(count: Int) throws {
    let load = pond.pebble("load") {}
    let ping = pond.pebble("ping") {}
    for place in 0..<count { pond.pebble("h\(place)", when: load.failed && ping.skipped) {} }

    let findings = pond.lint(also: [.unhandledFailure]).of(.unhandledFailure)

    let isLookedAt = count <= 64
    #expect(findings.contains { $0.pebbles.first == "load" && $0.pebbles.count == 2 } == isLookedAt)
    #expect(findings.contains { $0.pebbles == ["load"] } == !isLookedAt)
  }
}
