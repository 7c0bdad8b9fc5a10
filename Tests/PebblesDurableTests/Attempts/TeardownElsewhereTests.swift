import PebblesDurable
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of teardowns that are called outside a run.
@Suite(.watched) struct TeardownElsewhereTests {
  private let pond = Pond("nightly")
  private let closed = Logbook<String>()

  private func tearDown(_ pebble: some PebbleIdentifying, _ output: String? = nil) async throws {
    try await pond.tearDown(
      pebble, of: RunIdentifier("17"), output: output.map { .json($0) }, coder: JSONOutputs())
  }

  private func problem(_ pebble: some PebbleIdentifying, _ output: String? = nil) async -> String? {
    do {
      try await tearDown(pebble, output)
      return nil
    } catch {
      return "\(error)"
    }
  }

  // MARK: - A teardown

  @Test func aTeardownIsHandedTheDecodedOutput() async throws {
    let pages = pond.pebble("pages", teardown: { closed.note("\($0)") }) { [1] }
    let store = pond.pebble("store", needs: pages, teardown: { closed.note($0) }) { "\($0)" }
    let lock = pond.pebble("lock", teardown: { closed.note("lock") }) {}
    let ping = pond.pebble("ping", teardown: { closed.note("ping") }) { complete in complete(true) }

    try await tearDown(pages, "[1,2]")
    try await tearDown(store, "\"launches\"")
    try await tearDown(lock)
    // The pebble may have had an output in another version.
    try await tearDown(lock, "7")
    try await tearDown(ping)

    #expect(closed.entries == ["[1, 2]", "launches", "lock", "lock", "ping"])
  }

  @Test func whereNothingIsToBeUndoneNothingHappens() async throws {
    let load = pond.pebble("load") { 1 }

    try await tearDown(load, "no JSON at all")
  }

  @Test func whatTheTeardownThrowsIsThrown() async throws {
    let load = pond.pebble("load", teardown: { throw Breakdown("the disk is full") }) {}

    await #expect(throws: Breakdown("the disk is full")) { try await tearDown(load) }
  }

  @Test func aTeardownKnowsItsRunAndNoneThatItCouldWaitFor() async throws {
    let load = pond.pebble(
      "load",
      teardown: {
        let context = try #require(PebbleContext.current)
        #expect(context.run == nil)
        closed.note(context.idempotencyKey)
      }
    ) {}

    try await tearDown(load)

    #expect(closed.entries == ["17/load"])
    #expect(PebbleContext.current == nil)
  }

  @Test func aRenamedPebbleIsTornDownUnderTheKeyOfItsBody() async throws {
    pond.pebble(
      "fetch", teardown: { closed.note(PebbleContext.current?.idempotencyKey ?? "") }
    ) {}

    try await pond.tearDown(
      .named("fetch", originally: "download"), of: RunIdentifier("17"), output: nil,
      coder: JSONOutputs())

    #expect(closed.entries == ["17/download"])
  }

  @Test func cancellingTheCallerDoesNotCancelIt() async throws {
    let (started, gate) = (Gate(), Gate())
    let load = pond.pebble(
      "load",
      teardown: {
        started.open()
        await gate.passed()
        try Task.checkCancellation()
        closed.note("closed")
      }
    ) {}

    let task = Task { try await tearDown(load) }
    await started.passed()
    task.cancel()
    gate.open()
    try await task.value

    #expect(closed.entries == ["closed"])
  }

  @Test func aBlockingPebbleIsTornDownOnAThreadOfItsOwn() async throws {
    let roadblock = Roadblock(for: 1)
    let load = pond.pebble("load", .blocking, teardown: { roadblock.hold() }) {}

    async let end: Void = tearDown(load)
    await roadblock.isFull.passed()
    roadblock.open()

    try await end
  }

  /// Checks that a teardown does not wait for a thread that a body of another run blocks, because
  /// that body may never return.
  @Test(arguments: [1, 2])
  func aBlockingPebbleIsTornDownWhileABodyHoldsTheThread(most: Int) async throws {
    let threads = BlockingThreads(limit: 1, most: most)
    let (other, roadblock) = (Pond("other"), Roadblock(for: 1))
    other.pebble("holds", .blocking) { roadblock.hold() }
    let load = pond.pebble("load", .blocking, teardown: { closed.note("load") }) {}

    try await BlockingThreads.$shared.withValue(threads) {
      let run = try other.start()
      defer { roadblock.open() }
      await roadblock.isFull.passed()
      let end = Task { try await tearDown(load) }
      try await until { closed.count == 1 }
      try await end.value
      #expect(threads.withAdmission(\.heldCount) == 1)
      roadblock.open()
      _ = try await run.report
    }

    #expect(threads.withAdmission(\.heldCount) == 0)
  }

  @Test func pebblesOfClustersAreTornDownByTheirNames() async throws {
    let cache = Pond("cache")
    let open = cache.pebble("open", teardown: { closed.note("open \($0)") }) { 1 }
    cache.pebble("fill", needs: open, teardown: { closed.note("fill \($0)") }) { $0 + 1 }
    for name in ["a", "b"] { pond.add(cache, as: name) }

    try await tearDown(.named("b/fill"), "21")
    try await tearDown(.named("b/open"), "20")

    #expect(closed.entries == ["fill 21", "open 20"])
  }

  // MARK: - What cannot be torn down

  @Test func whatIsNotThereIsNamed() async throws {
    pond.pebble("load") {}
    let http = pond.service("http", teardown: { closed.note("http") }) { ready in ready() }

    #expect(await problem(.named("x")) == #"no pebble is named "x""#)
    #expect(await problem(http)?.hasPrefix("http is a service") == true)
    pond.pebble("load") {}
    await #expect(throws: PondError.self) { try await tearDown(.named("load")) }
    #expect(closed.entries.isEmpty)
  }

  @Test func anOutputThatCannotBeHadIsNamed() async throws {
    struct Handle {}
    let pages = pond.pebble("pages", teardown: { closed.note("\($0)") }) { [1] }
    let open = pond.pebble("open", teardown: { closed.note("\($0)") }) { Handle() }

    #expect(
      await problem(pages)
        == "pages cannot be torn down: its output, of type Array<Int>, is missing")
    #expect(
      await problem(pages, "\"x\"")?
        .hasPrefix("pages cannot be torn down: its output cannot be decoded as Array<Int>: ")
        == true)
    #expect(
      await problem(open, "1")
        == "open cannot be torn down: its output is Handle, which is not Decodable")
    #expect(closed.entries.isEmpty)
  }

  // MARK: - What cannot leave the process

  private struct Socket: Sendable {}
  private struct OnlyWritten: Encodable {}

  @Test func outputsThatAreReadMustBeCodable() async throws {
    let socket = pond.pebble("socket") { Socket() }
    let sockets = pond.pebble("sockets", needs: socket) { [$0] }
    let written = pond.pebble("written") { OnlyWritten() }
    pond.pebble("reader", needs: sockets.optional, written.result) { _, _ in Socket() }
    pond.pebble("closed", teardown: { _ in }) { Socket() as Socket? }
    pond.pebble("apart") { Socket() }
    let number = pond.pebble("number") { [1: Int?.some(2)] }
    let nothing = pond.pebble("nothing", needs: number) { _ in }
    pond.pebble("last", needs: nothing) { (_: Void) in }

    let faults = pond.undeliverableOutputs()

    #expect(
      faults.map(\.description) == [
        "socket has an output that cannot leave the process: Socket is not Encodable",
        "sockets has an output that cannot leave the process: Array<Socket> is not Encodable",
        "written has an output that cannot be read in another process: OnlyWritten is not "
          + "Decodable",
        "closed has an output that cannot leave the process: Optional<Socket> is not Encodable",
      ])
    #expect(faults.map(\.pebble) == ["socket", "sockets", "written", "closed"])
    // The very error that the attempt would have failed with.
    let result = try await pond.attempt(socket, coder: JSONOutputs())
    #expect(result.error as? AttemptError == faults[0])
  }

  @Test func outputsOfClustersAreLookedAtToo() {
    let network = Pond("network")
    let socket = network.pebble("socket") { Socket() }
    network.pebble("listen", needs: socket) { _ in }
    pond.add(network, as: "a")

    #expect(pond.undeliverableOutputs().map(\.pebble) == ["a/socket"])
  }
}
