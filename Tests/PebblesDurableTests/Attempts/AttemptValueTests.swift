import Pebbles
import PebblesDurable
import PebblesTestSupport
import Testing

private enum StoreError: Error, Equatable {
  case locked, full
}

private enum User: Equatable, Sendable {
  case guest
  case known(String)
}

/// Tests of arrays, given values and cases for bodies that are called outside a run.
@Suite(.watched) struct AttemptValueTests {
  private let pond = Pond("values")

  @Test func aBodyIsHandedArrays() async throws {
    let pages = (0..<3).map { page in pond.pebble("page \(page)") { page } }
    let sum = pond.pebble("sum", needs: pages) { $0.reduce(0, +) }
    let result = try await pond.attempt(
      sum, number: 1,
      inputs: [
        "page 0": .succeeded(.json("1")), "page 1": .succeeded(.json("2")),
        "page 2": .succeeded(.json("3")),
      ], coder: JSONOutputs())

    #expect(result.output == "6")
  }

  @Test func whatIsGivenLeavesTheProcessAsBytesAndIsNotCalled() async throws {
    let user = pond.given("user", User.self)
    let size = pond.given("size", default: 20)
    pond.pebble("list", needs: size) { $0 }

    let encoded = try pond.encoded(given: [user.value(.guest)], coder: JSONOutputs())

    #expect(encoded.keys.sorted() == ["size", "user"])
    guard case .succeeded(let bytes, _)? = encoded["size"] else {
      Issue.record("it has not succeeded")
      return
    }
    let result = try await pond.attempt(
      .named("list"), inputs: ["size": .succeeded(bytes)], coder: JSONOutputs())
    #expect(result.error == nil)
    await #expect(throws: AttemptError.self) {
      try await pond.attempt(size, coder: JSONOutputs())
    }
    // Somebody reads it, and it cannot be encoded.
    pond.pebble("page", needs: user) { "\($0)" }
    #expect(throws: AttemptError.self) {
      try pond.encoded(given: [user.value(.guest)], coder: JSONOutputs())
    }
    #expect(pond.undeliverableOutputs().map(\.pebble) == ["user"])
  }

  @Test func whatHoldsOfAGivenValueIsToldWithIt() throws {
    let size = pond.given("size", Int.self)
    _ = size.succeeded("large") { $0 > 5 }
    _ = size.is(7)

    let encoded = try pond.encoded(given: [size.value(7)], coder: JSONOutputs())

    #expect(encoded["size"]?.output == "7")
    #expect(encoded["size"]?.cases == [.succeeded("large"), .is("7")])
  }

  @Test func aGivenVoidHasNoBytesWhoeverReadsIt() throws {
    let signal = pond.given("signal", Void.self)
    pond.pebble("work", needs: signal) { (_: Void) in }

    let encoded = try pond.encoded(given: [signal.value(())], coder: JSONOutputs())

    #expect(encoded["signal"]?.isSucceeded == true && encoded["signal"]?.output == nil)
  }

  @Test func casesOfAnOutputThatIsDroppedAreHandedBack() async throws {
    struct Handle: Sendable {}
    let open = pond.pebble("open") { Handle() }
    _ = open.succeeded("free") { _ in true }

    let result = try await pond.attempt(open, coder: JSONOutputs())

    #expect(result.isSucceeded && result.output == nil)
    #expect(result.cases == [.succeeded("free")])
  }

  /// Checks that cases are also determined for failures that are not errors of the body: an output
  /// that cannot be encoded, or an input that cannot be decoded.
  @Test func casesOfAFailureThatIsNotThatOfTheBodyAreHandedBack() async throws {
    struct Handle: Sendable {}
    let open = pond.pebble("open") { Handle() }
    let use = pond.pebble("use", needs: open) { _ in }
    _ = open.failed("kept") { $0 is AttemptError }
    _ = use.failed("uncalled") { $0 is AttemptError }

    let opened = try await pond.attempt(open, coder: JSONOutputs())
    let used = try await pond.attempt(
      use, inputs: ["open": .succeeded(.json("{}"))], coder: JSONOutputs())

    #expect(opened.cases == [.failed("kept")])
    #expect(used.cases == [.failed("uncalled")])
  }

  @Test func onlyWhatTakesPartIsEncoded() throws {
    let size = pond.given("size", default: 20)
    _ = pond.given("name", String.self)
    let list = pond.pebble("list", needs: size) { $0 }

    let encoded = try pond.encoded(given: [], only: [list], coder: JSONOutputs())

    #expect(encoded.keys.sorted() == ["size"])
    let error = #expect(throws: PondError.self) {
      try pond.encoded(given: [], only: [.named("lst")], coder: JSONOutputs())
    }
    #expect(error?.description.contains("no pebble is named \"lst\"") == true)
  }

  @Test func casesAreHandedBack() async throws {
    let flip = pond.pebble("flip") { 7 }
    _ = flip.is(7)
    let fail = pond.pebble("fail", .retry(.attempts(2))) { throw StoreError.full }
    _ = fail.failed("full") { $0 as? StoreError == .full }

    let succeeded = try await pond.attempt(flip, coder: JSONOutputs())
    let failed = try await pond.attempt(fail, coder: JSONOutputs())
    let failedForGood = try await pond.attempt(fail, number: 2, coder: JSONOutputs())

    #expect(succeeded.cases == [.is("7")])
    #expect(failed.cases == [])
    #expect(failedForGood.cases == [.failed("full")])
  }
}
