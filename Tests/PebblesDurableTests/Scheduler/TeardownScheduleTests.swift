import Pebbles
import PebblesDurable
import PebblesTestSupport
import Testing

@Suite(.watched) struct TeardownScheduleTests {
  private let pond = Pond("boot")

  private func pebble(_ name: String, when condition: Condition = .always) -> Pebble<Void> {
    pond.pebble(name, when: condition, teardown: {}) {}
  }

  /// Starts and settles all pebbles that become ready, in the given order if there is one.
  private func finish(
    _ scheduler: Scheduler, failing: Set<String> = [], in order: [String]? = nil
  ) throws {
    var order = order?[...]
    while !scheduler.isFinished {
      let next = order?.popFirst().flatMap { scheduler.names.firstIndex(of: $0) }
      let pebble = try #require(next ?? scheduler.ready.first)
      try scheduler.start(pebble, at: .zero)
      let isFailing = failing.contains(scheduler.names[pebble])
      try scheduler.settle(pebble, succeeded: !isFailing, at: .zero)
    }
  }

  @Test func whatWasEnabledGoesFirst() throws {
    let database = pebble("database")
    let cache = pebble("cache")
    let migrate = pond.pebble("migrate", when: database.succeeded) {}
    _ = pebble("index", when: migrate.succeeded)
    _ = pebble("fill", when: cache.succeeded && database.succeeded)
    _ = pebble("failed")
    _ = pebble("never", when: .never)
    let scheduler = try Scheduler(pond)
    #expect(scheduler.teardown().count == 0)
    try finish(scheduler, failing: ["failed"])

    var teardown = scheduler.teardown()
    #expect(teardown.count == 4)
    #expect(teardown.ready.map { scheduler.names[$0] }.sorted() == ["fill", "index"])
    let (first, second) = (teardown.ready[0], teardown.ready[1])
    try teardown.start(first)
    try teardown.start(second)
    #expect(teardown.running == [first, second])
    try teardown.end(3)
    #expect(teardown.ready.isEmpty)
    try teardown.end(4)
    #expect(teardown.ready.sorted() == [0, 1])
    #expect(!teardown.isFinished)
    for pebble in teardown.ready {
      try teardown.start(pebble)
      try teardown.end(pebble)
    }
    #expect(teardown.isFinished)
    // A schedule is a value: another one begins from the start.
    #expect(scheduler.teardown().ready.count == 2)
  }

  @Test func nothingIsTornDownWhileSomethingRuns() throws {
    let database = pebble("database")
    _ = pebble("web", when: database.succeeded)
    let scheduler = try Scheduler(pond)
    try scheduler.start(0, at: .zero)
    try scheduler.settle(0, succeeded: true, at: .zero)
    try scheduler.start(1, at: .zero)
    #expect(scheduler.teardown().count == 0)

    try scheduler.settle(1, succeeded: true, at: .zero)
    #expect(scheduler.teardown().count == 2)
  }

  @Test func whatReallyEnabledItCounts() throws {
    let (first, second) = (pebble("first"), pebble("second"))
    _ = pebble("either", when: first.succeeded || second.succeeded)
    let scheduler = try Scheduler(pond)
    try finish(scheduler, in: ["second", "either", "first"])

    // Nothing came of the first.
    #expect(Set(scheduler.teardown().ready) == [0, 2])
  }

  @Test func aPondWithoutTeardownsHasNothingToTearDown() throws {
    let plain = Pond("plain")
    plain.pebble("a") {}
    plain.service("http", teardown: {}) { ready in ready() }
    let scheduler = try Scheduler(plain)
    try finish(scheduler)

    #expect(scheduler.teardown().isFinished)
    #expect(scheduler.teardown().ready.isEmpty)
  }

  @Test func whatCannotHaveHappenedIsRefused() throws {
    let a = pebble("a")
    _ = pebble("b", when: a.succeeded)
    pond.pebble("c") {}
    let scheduler = try Scheduler(pond)
    try finish(scheduler)
    var teardown = scheduler.teardown()

    #expect(problem { try teardown.start(0) }?.hasSuffix("but it waits or has ended") == true)
    #expect(
      problem { try teardown.start(2) }
        == "the teardown of the position 2 was begun, but there is nothing to tear down")
    #expect(
      problem { try teardown.end(1) }
        == "the teardown of b has ended, but it has not begun")
    for position in [-1, 3, .max, .min] {
      #expect(problem { try teardown.end(position) } != nil)
    }
    try teardown.start(1)
    #expect(problem { try teardown.start(1) }?.hasSuffix("but it is running") == true)
    try teardown.end(1)
    #expect(problem { try teardown.end(1) } != nil)
    #expect(teardown.ready == [0])
  }

  private func problem(_ call: () throws -> Void) -> String? {
    do { try call() } catch { return "\(error)" }
    return nil
  }

  /// Checks that the schedule allows the order in which the shutdown of a run tears down pebbles.
  @Test(arguments: 0..<4) func itAgreesWithAShutdown(shard: UInt64) async throws {
    var generator = SeededGenerator(seed: 9_000 + shard)
    for _ in 0..<Thoroughness.times(5) {
      let reference = ReferencePond.random(
        mostPebbles: 8, using: &generator)
      let (bodies, undone) = (Logbook<String>(), Logbook<String>())
      // One body at a time, so that they end in the order of the journal.
      let pond = Pond("random", maxConcurrent: 1)
      reference.define(in: pond) {
        bodies.note("p\($0)")
      } teardown: {
        undone.note("+p\($0)")
        await Task.yield()
        undone.note("-p\($0)")
      }
      let run = try pond.start()
      _ = try await run.report
      let shutdown = try await run.shutdown()

      let scheduler = try Scheduler(pond)
      let failing = reference.succeeds.indices.filter { !reference.succeeds[$0] }
      try finish(scheduler, failing: Set(failing.map { "p\($0)" }), in: bodies.entries)
      var teardown = scheduler.teardown()
      #expect(teardown.count == shutdown.records.count, "\(reference)")
      for entry in undone.entries {
        let pebble = try #require(scheduler.names.firstIndex(of: String(entry.dropFirst())))
        try entry.hasPrefix("+") ? teardown.start(pebble) : teardown.end(pebble)
      }
      #expect(teardown.isFinished, "\(reference)")
    }
  }
}
