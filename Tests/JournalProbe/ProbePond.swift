import Pebbles
import PebblesTestSupport

/// A pond that uses most features. It also contains the pebbles `p0` … `p7`, which are determined
/// by a seed.
///
/// ```
///  size ─▶ fetch ─▶ parse ─▶ store ─▶ late          cycle ⇄ egg
///            ▲        ▲        ▲        ▲            off ─▶ withoutOff
///  database ─┴▶ pool ─┘    handle ──────┘            p0 … p7
/// ```
struct ProbePond {
  let pond: Pond
  let given: [GivenValue]

  private let work: ProbeWork

  final class Handle: Sendable {}

  init(seed: UInt64, cancelsAll: Bool, _ effects: Effects) {
    var generator = SeededGenerator(seed: seed)
    pond = Pond("probe", onFailure: cancelsAll ? .cancelAll : .ignore)
    work = ProbeWork(effects, seed: seed)
    let size = pond.given("size", Int.self)
    given = [size.value(Int.random(in: 1...9, using: &generator))]
    let (database, pool) = Self.services(of: pond, work)
    let handle = Self.handle(of: pond, work)
    let fetched = Self.fetch(of: pond, work, size: size, database)
    Self.steps(of: pond, work, fetched, handle, pool)
    Self.rest(of: pond, work)
    Self.random(in: pond, work, &generator)
  }

  private static func services(
    of pond: Pond, _ work: ProbeWork
  ) -> (database: Pebble<String>, pool: Pebble<String>) {
    let database: Pebble<String> = pond.service(
      "database", .ending(.restart(.attempts(2))), teardown: { _ in work.closes("database") }
    ) { ready in
      work.body("database")
      ready("db")
      await ready.stopRequested()
    }
    let pool: Pebble<String> = pond.service(
      "pool", .restartsWith(database), .retry(.attempts(2)), needs: database
    ) { ready, database in
      try work.body("pool", failing: 1)
      ready("\(database)-pool")
      await ready.stopRequested()
    }
    return (database, pool)
  }

  private static func handle(of pond: Pond, _ work: ProbeWork) -> Pebble<Handle> {
    pond.pebble("handle", teardown: { _ in work.closes("handle") }) {
      work.body("handle")
      return Handle()
    }
  }

  private static func fetch(
    of pond: Pond, _ work: ProbeWork, size: Pebble<Int>, _ database: Pebble<String>
  ) -> Pebble<[Int]> {
    pond.pebble(
      "fetch", .retry(.backoff(attempts: 4, initial: .microseconds(200), jitter: .none)),
      .uses("connections", 2, of: 3), needs: size, database,
      teardown: { _ in work.closes("fetch") }
    ) { size, _ in
      try work.body("fetch", failing: 2)
      return Array(0..<size)
    }
  }

  private static func steps(
    of pond: Pond, _ work: ProbeWork, _ fetched: Pebble<[Int]>, _ handle: Pebble<Handle>,
    _ pool: Pebble<String>
  ) {
    let mirror = pond.pebble("mirror", .retry(.attempts(2)), .uses("connections"), needs: fetched) {
      _ in try work.body("mirror", failing: 9)
    }
    let refused = mirror.failed("refused") { $0 is Breakdown }
    let isLong = fetched.succeeded("long") { $0.count > 4 }
    let parsed = pond.pebble(
      "parse", .exclusive("cpu"), needs: fetched, handle, pool, when: refused,
      teardown: { (_: [String]) in work.closes("parse") }
    ) { fetched, _, pool in
      work.body("parse")
      return fetched.map { "\(pool)-\($0)" }
    }
    let stored = pond.pebble(
      "store", .exclusive("cpu"), needs: parsed, teardown: { work.closes("store") }
    ) { _ in work.body("store") }
    pond.pebble("long", when: isLong) { work.body("long") }
    pond.pebble("short", when: fetched.succeeded && !isLong) { work.body("short") }
    pond.pebble(
      "late", needs: handle, when: stored.succeeded, teardown: { _ in work.closes("late") }
    ) { _ in
      work.body("late")
      return 7
    }
  }

  private static func rest(of pond: Pond, _ work: ProbeWork) {
    let cycle = pond.pebble("cycle") { work.body("cycle") }
    let egg = pond.pebble("egg", when: cycle.succeeded) { work.body("egg") }
    cycle.ready = egg.succeeded
    pond.pebble("afterStall", when: egg.skipped) { work.body("afterStall") }
    let off = pond.pebble("off", .enabled { false }) { work.body("off") }
    pond.pebble("withoutOff", when: off.skipped) { work.body("withoutOff") }
  }

  private static func random(
    in pond: Pond, _ work: ProbeWork, _ generator: inout SeededGenerator
  ) {
    let random = ReferencePond.random(mostPebbles: 8, withCases: true, using: &generator)
    random.define(
      in: pond, calling: { work.body("p\($0)") }, teardown: { work.closes("p\($0)") })
  }
}
