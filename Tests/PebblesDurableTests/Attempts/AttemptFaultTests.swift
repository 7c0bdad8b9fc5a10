import Pebbles
import PebblesDurable
import PebblesTestSupport
import Testing

/// Tests of bodies that cannot be called outside a run, and of values that cannot be passed to
/// another process.
@Suite(.watched) struct AttemptFaultTests {
  private let pond = Pond("nightly")
  private let calls = Attempts(failing: 0)

  private func attempt(
    _ pebble: some PebbleIdentifying, number: Int = 1, _ inputs: [String: EncodedOutcome] = [:],
    _ coder: some OutputCoder = JSONOutputs()
  ) async throws -> AttemptResult {
    try await pond.attempt(pebble, number: number, inputs: inputs, coder: coder)
  }

  private func problem(
    _ pebble: some PebbleIdentifying, number: Int = 1, _ inputs: [String: EncodedOutcome] = [:]
  ) async -> String? {
    do {
      _ = try await attempt(pebble, number: number, inputs)
      return nil
    } catch {
      return "\(error)"
    }
  }

  // MARK: - Before the body

  @Test func whatIsNotThereIsNamed() async throws {
    let load = pond.pebble("load") { [calls] in try calls.next() }
    let foreign = Pond("other").pebble("other") {}

    #expect(await problem(.named("x")) == #"no pebble is named "x""#)
    #expect(await problem(foreign)?.contains("is a pebble of the pond") == true)
    #expect(await problem(load, ["y": .succeeded(nil)]) == #"no pebble is named "y""#)
    #expect(
      await problem(load, number: 0)
        == "load cannot be called for attempt 0: attempts count from 1")
    #expect(await problem(load, number: .min) != nil)
    #expect(calls.count == 0)
  }

  @Test func servicesAreRefused() async throws {
    let http = pond.service("http") { ready in ready() }
    let load = pond.pebble("load") { 1 }

    #expect(await problem(http)?.hasPrefix("http is a service") == true)
    #expect(await problem(load) == nil)
  }

  @Test func aPondThatIsDefinedWronglyIsRefused() async throws {
    pond.pebble("load") {}
    pond.pebble("load") {}

    await #expect(throws: PondError.self) { try await attempt(.named("load")) }
  }

  @Test func inputsMustBeThereAndHaveEndedAsTheBodyNeedsIt() async throws {
    let load = pond.pebble("load") { 1 }
    let store = pond.pebble("store", needs: load) { [calls] _ in try calls.next() }
    let tell = pond.pebble("tell", needs: load.result) { [calls] _ in try calls.next() }
    let any = pond.pebble("any", needs: load.optional) { _ in }

    #expect(
      await problem(store) == "store was called without the outcome of load, which it reads")
    #expect(
      await problem(store, ["load": .failed(RecordedError("no route"))])
        == "store cannot be called: it needs load to succeed, but it failed")
    #expect(
      await problem(tell, ["load": .skipped(.cancelled)])
        == "tell cannot be called: it needs load to complete, but it was skipped")
    #expect(await problem(any, ["load": .skipped(.cancelled)]) == nil)
    #expect(await problem(any) != nil)
    #expect(calls.count == 0)
  }

  // MARK: - Bytes that are not what they should be

  private struct Handle: Sendable {}

  @Test(arguments: ["", "{", "\"text\"", "null", "[[[["])
  func anInputThatCannotBeDecodedFailsThePebbleForGood(_ text: String) async throws {
    let load = pond.pebble("load") { 1 }
    let readers = [
      pond.pebble("plain", .retry(.attempts(4)), needs: load) { [calls] _ in _ = try calls.next() },
      pond.pebble("result", .retry(.attempts(4)), needs: load.result) { [calls] _ in
        _ = try calls.next()
      },
      pond.pebble("optional", .retry(.attempts(4)), needs: load.optional) { [calls] _ in
        _ = try calls.next()
      },
    ]

    for reader in readers {
      let failure = try await attempt(reader, ["load": .succeeded(.json(text))]).failure
      let error = try #require(failure?.error as? AttemptError)
      #expect(error.pebble == reader.name)
      #expect(error.description.contains("the output of load cannot be decoded as Int"))
      #expect(failure?.retryAfter == nil)
      #expect(failure?.isStillRunning == false)
    }
    #expect(calls.count == 0)
  }

  @Test func anInputThatIsMissingOrNotDecodableIsNamed() async throws {
    let load = pond.pebble("load") { 1 }
    let open = pond.pebble("open") { Handle() }
    let store = pond.pebble("store", needs: load) { _ in }
    let use = pond.pebble("use", needs: open) { _ in }

    let missing = try await attempt(store, ["load": .succeeded(nil)])
    let handle = try await attempt(use, ["open": .succeeded(.json("{}"))])

    #expect(
      "\(try #require(missing.error))"
        == "store cannot be called: the output of load, of type Int, is missing")
    #expect(
      "\(try #require(handle.error))"
        == "use cannot be called: the output of open is Handle, which is not Decodable")
  }

  @Test func anOutputThatCannotLeaveFailsThePebbleAndIsTornDown() async throws {
    let closed = Attempts(failing: 0)
    let open = pond.pebble("open", .retry(.attempts(4)), teardown: { _ in _ = try closed.next() }) {
      Handle()
    }
    let read = pond.pebble("read") { Handle() }
    pond.pebble("use", needs: read) { _ in }

    let opened = try await attempt(open)
    let wasRead = try await attempt(read)

    let sentence = "open has an output that cannot leave the process: Handle is not Encodable"
    #expect("\(try #require(opened.error))" == sentence)
    #expect(opened.failure?.retryAfter == nil)
    #expect(closed.count == 1)
    #expect(wasRead.error is AttemptError)
  }

  @Test func anOutputThatNobodyReadsIsDropped() async throws {
    let open = pond.pebble("open") { Handle() }
    pond.pebble("after", when: open.succeeded) {}

    guard case .succeeded(nil, _) = try await attempt(open) else {
      Issue.record("there are bytes of what cannot be encoded")
      return
    }
  }

  @Test func anOutputThatTheCoderRefusesFailsThePebbleAndIsTornDown() async throws {
    let closed = Logbook<Double>()
    let ratio = pond.pebble("ratio", teardown: { closed.note($0) }) { Double.infinity }

    let error = try #require(try await attempt(ratio).error as? AttemptError)

    #expect(error.description.hasPrefix("ratio has an output that cannot be encoded, Double: "))
    #expect(closed.entries == [.infinity])
  }

  @Test func runsAreToldApartByTheirNames() {
    let (ours, theirs) = (RunIdentifier("a/b"), RunIdentifier("a"))

    #expect(ours == RunIdentifier("a/b") && ours != theirs && RunIdentifier("") != RunIdentifier())
    #expect(ours.description == "a/b")
    let keys = [
      PebbleContext(pond: "p", pebble: "c", runIdentifier: ours),
      PebbleContext(pond: "p", pebble: "b/c", runIdentifier: theirs),
      PebbleContext(pond: "p", pebble: "c", runIdentifier: RunIdentifier("a%2Fb")),
      PebbleContext(pond: "p", pebble: "c", attempt: 2, runIdentifier: ours),
    ].map(\.idempotencyKey)
    #expect(keys == ["a%2Fb/c", "a/b/c", "a%252Fb/c", "a%2Fb/c"])
  }
}
