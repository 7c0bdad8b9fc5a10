import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct CheckTests {
  private let pond = Pond("boot")
  private let failing: Pebble<Int>
  private let reader: Pebble<Void>

  init() {
    failing = pond.pebble("failing") { throw Breakdown("no disk") }
    reader = pond.pebble("reader", when: .never) {}
  }

  @Test func aRunWithoutFailuresPasses() async throws {
    let pond = Pond("fine")
    pond.pebble("good") {}
    pond.pebble("skipped", when: .never) {}

    try await pond.run().check()
  }

  @Test func aFailureThatNobodyWaitsForIsUnhandled() async throws {
    let report = try await pond.run()

    #expect(report.unhandledFailures.map(\.name) == ["failing"])
    let error = #expect(throws: RunFailed.self) { try report.check() }
    #expect(error?.pondName == "boot")
    #expect(error?.unhandledFailures.map(\.name) == ["failing"])
    #expect(
      error?.description == """
        unhandled failures in the pond "boot":
          - failing failed: no disk
        """)
  }

  @Test func everyAtomOnAFailureHandlesItInAPebbleThatRan() async throws {
    let conditions = [
      failing.failed, failing.completed, failing.settled, !failing.succeeded, !failing.skipped,
      !(failing.succeeded && failing.skipped), (failing.failed && .always).labeled("down"),
    ]
    for condition in conditions {
      #expect(try await unhandled(with: condition) == [], "\(condition)")
    }
  }

  @Test func anAtomThatDoesNotAcceptTheFailureHandlesItAllTheSame() async throws {
    let good = pond.pebble("good") {}
    for atom in [failing.succeeded, failing.skipped, !failing.failed] {
      #expect(try await unhandled(with: atom || good.succeeded) == [], "\(atom)")
    }
  }

  @Test func aReaderThatWasSkippedForItHandlesNothing() async throws {
    for condition in [failing.succeeded, failing.skipped, !failing.failed] {
      #expect(try await unhandled(with: condition) == ["failing"], "\(condition)")
    }
  }

  @Test func aPebbleThatDidNotRunHandlesNothing() async throws {
    #expect(try await unhandled(with: failing.failed && .never) == ["failing"])
  }

  @Test func aFailureMentionedInAnOrThatHeldOtherwiseIsHandled() async throws {
    let good = pond.pebble("good") {}

    #expect(try await unhandled(with: good.succeeded || failing.failed) == [])
  }

  @Test func resultAndOptionalInputsHandleAFailureAndAPlainOneDoesNot() async throws {
    pond.pebble("plain", needs: failing) { _ in }
    #expect(try await pond.run().unhandledFailures.map(\.name) == ["failing"])

    let result = pond.pebble("result", needs: failing.result) { _ in }
    #expect(try await pond.run().unhandledFailures.isEmpty)

    result.ready = .never
    pond.pebble("optional", needs: failing.optional) { _ in }
    #expect(try await pond.run().unhandledFailures.isEmpty)
  }

  @Test func aHandlerThatFailsItselfIsTheOneToHandle() async throws {
    let handler = pond.pebble("handler", when: failing.failed) { throw Breakdown("again") }
    #expect(try await pond.run().unhandledFailures.map(\.name) == ["handler"])

    pond.pebble("last", when: handler.completed) {}
    #expect(try await pond.run().unhandledFailures.isEmpty)
  }

  @Test func aFailureDeepInsideASharedConditionIsHandled() async throws {
    let shared = (0..<20).reduce(failing.failed) { $0 && ($1.isMultiple(of: 2) ? $0 : .always) }

    #expect(try await unhandled(with: shared) == [])
  }

  private func unhandled(with condition: Condition) async throws -> [String] {
    reader.ready = condition
    return try await pond.run().unhandledFailures.map(\.name)
  }
}
