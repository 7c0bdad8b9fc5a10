import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite(.watched) struct TeardownOrderTests {
  private let pond = Pond("teardown")

  private func pebble(_ name: String, when condition: Condition = .always) -> Pebble<Void> {
    pond.pebble(name, when: condition) {}
  }

  private func order(of pebbles: [Pebble<Void>], in run: OrderedRun) -> TeardownOrder {
    TeardownOrder(
      of: Self.succeeded(pebbles.map { Int($0.reference.index) }, in: run), run.enabling)
  }

  private static func succeeded(_ pebbles: [Int], in run: OrderedRun) -> [Int] {
    pebbles.filter { run.storage.state.status(of: $0) == .succeeded }
  }

  /// Returns a line for each pebble that is torn down, with the pebbles that must be torn down
  /// before it, such as `["last", "first: last"]`.
  private func lines(of pebbles: [Pebble<Void>], in run: OrderedRun) -> [String] {
    let order = order(of: pebbles, in: run)
    return order.pebbles.indices.map { step in
      let name = Self.name(of: step, in: order, run)
      let dependents = order.dependents(of: step).map { Self.name(of: $0, in: order, run) }
      return dependents.isEmpty ? name : "\(name): \(dependents.joined(separator: " "))"
    }
  }

  private static func name(of step: Int, in order: TeardownOrder, _ run: OrderedRun) -> String {
    order.pebbles[step].map { run.pond.graph.names[$0] } ?? "step \(step)"
  }

  @Test func chainGoesDownFromItsEnd() {
    let a = pebble("a")
    let b = pebble("b", when: a.succeeded)
    let c = pebble("c", when: b.succeeded)
    var run = OrderedRun(pond)
    run.finish()

    #expect(lines(of: [a, b, c], in: run) == ["c", "b: c", "a: b"])
  }

  @Test func independentPebblesWaitForNobody() {
    let (a, b) = (pebble("a"), pebble("b"))
    var run = OrderedRun(pond)
    run.finish()

    #expect(lines(of: [b, a], in: run) == ["b", "a"])
    #expect(lines(of: [], in: run) == [])
  }

  @Test func onlyWhatSucceededIsTornDown() {
    let (a, b, c) = (pebble("a"), pebble("b"), pebble("c", when: .never))
    var run = OrderedRun(pond)
    run.end(a)
    run.end(b, succeeding: false)

    #expect(lines(of: [a, b, c, a], in: run) == ["a"])
  }

  @Test func theSideOfAnOrThatCameLaterIsFree() {
    let (cache, disk) = (pebble("cache"), pebble("disk"))
    let load = pebble("load", when: cache.succeeded || disk.succeeded)
    var run = OrderedRun(pond)
    run.end(disk, cache, load)

    #expect(Set(lines(of: [cache, disk, load], in: run)) == ["cache", "load", "disk: load"])
  }

  /// Tests this pond, in which `migrate` fails and `fallback` handles the failure:
  ///
  /// ```
  /// database ──▶ migrate ──▶ fallback
  /// ```
  @Test func fallbackGoesDownBeforeWhatTheFailedPebbleNeeded() {
    let database = pebble("database")
    let migrate = pebble("migrate", when: database.succeeded)
    let fallback = pebble("fallback", when: migrate.failed)
    var run = OrderedRun(pond)
    run.end(database)
    run.end(migrate, succeeding: false)
    run.end(fallback)

    #expect(
      lines(of: [database, migrate, fallback], in: run) == ["fallback", "database: fallback"])
  }

  @Test func skippedPebbleStandsForWhatDecidedIt() {
    let database = pebble("database")
    let repair = pebble("repair", when: database.failed)
    let serve = pebble("serve", when: repair.skipped)
    var run = OrderedRun(pond)
    run.finish()

    #expect(lines(of: [database, repair, serve], in: run) == ["serve", "database: serve"])
  }

  @Test func whatGoesFirstStillComesAfterItsOtherDependents() {
    let http = pebble("http")
    let database = pebble("database", when: http.succeeded)
    let session = pebble("session", when: http.succeeded)
    var run = OrderedRun(pond)
    run.finish()

    let order = order(of: [http, database, session], in: run).stopping(before: [0: [1]])

    #expect(order.pebbles == [2, 0, 1])
    #expect(order.pebbles.indices.map { Array(order.dependents(of: $0)) } == [[], [0], [1]])
  }

  @Test func cycleLinksNothing() {
    let (database, a, b) = (pebble("database"), pebble("a"), pebble("b"))
    a.ready = database.succeeded && b.succeeded
    b.ready = a.succeeded
    let serve = pebble("serve", when: a.skipped)
    var run = OrderedRun(pond)
    run.finish()

    #expect(Set(lines(of: [database, serve], in: run)) == ["database", "serve"])
  }

  @Test func cancelledRunTearsDownWhatHadComeUp() {
    let a = pebble("a")
    let b = pebble("b", when: a.succeeded)
    let slow = pebble("slow", when: a.succeeded)
    let c = pebble("c", when: b.succeeded && slow.succeeded)
    var run = OrderedRun(pond)
    run.end(a, b)
    run.end(slow, succeeding: false)
    run.cancel()

    #expect(lines(of: [a, b, c, slow], in: run) == ["b", "a: b"])
  }

  @Test func cycleOpenedByAnOrGoesDownTheWayItCameUp() {
    let (root, a, b) = (pebble("root"), pebble("a"), pebble("b"))
    a.ready = root.succeeded || b.succeeded
    b.ready = a.succeeded
    var run = OrderedRun(pond)
    run.finish()

    #expect(lines(of: [root, a, b], in: run) == ["b", "a: b", "root: a"])
  }

  @Test func pebbleInBetweenThatManyNeedIsOneStep() {
    let count = Thoroughness.isFull ? 1_000 : 400
    let below = (0..<count).map { pebble("below\($0)") }
    let middle = pebble("middle", when: .all(below.map(\.succeeded)))
    let above = (0..<count).map { pebble("above\($0)", when: middle.succeeded) }
    var run = OrderedRun(pond)
    run.finish()

    let order = order(of: below + above, in: run)

    #expect(order.pebbles.count == 2 * count + 1)
    #expect(order.pebbles.indices.map { order.dependents(of: $0).count }.reduce(0, +) == 2 * count)
  }

  @Test func conditionThatManyShareIsOneStep() {
    let below = (0..<300).map { pebble("below\($0)") }
    let shared = Condition.all(below.map(\.succeeded))
    let above = (0..<300).map { pebble("above\($0)", when: shared) }
    var run = OrderedRun(pond)
    run.finish()

    let order = order(of: below + above, in: run)

    #expect(order.pebbles.count { $0 == nil } == 1)
    // The network has the condition once, however many use it.
    #expect(order.pebbles.indices.map { order.dependents(of: $0).count }.reduce(0, +) == 600)
  }

  @Test func longChainCostsNeitherStackNorTime() {
    let chain = (0..<50_000).map { pebble("p\($0)") }
    for (before, after) in zip(chain, chain.dropFirst()) { after.ready = before.succeeded }
    var run = OrderedRun(pond)
    run.finish()

    let every = order(of: chain, in: run)

    #expect(every.pebbles == chain.indices.reversed())
    #expect(lines(of: [chain[0], chain[49_999]], in: run) == ["p49999", "p0: p49999"])
  }

  @Test func whatLeadsToNoTeardownLeavesNoStep() {
    let root = pebble("root")
    let above = (0..<10).map { pebble("above\($0)", when: root.succeeded) }
    let top = pebble("top", when: .all(above.map(\.succeeded)))
    var run = OrderedRun(pond)
    run.finish()

    #expect(lines(of: [top], in: run) == ["top"])
    #expect(lines(of: [root], in: run) == ["root"])
    #expect(lines(of: [root, top], in: run) == ["top", "root: top"])
  }

  @Test(arguments: 0..<8)
  func randomRunsGoDownInTheReverseOfAllThatEnabledThem(shard: Int) {
    var generator = SeededGenerator(seed: 5_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(50) {
      let pond = ReferencePond.random(
        mostPebbles: 12, using: &generator)
      let run = OrderedRun.random(pond, smallestShared: shard < 4 ? 1 : 16, using: &generator)
      let candidates = pond.conditions.indices.filter { _ in Bool.random(using: &generator) }

      let order = TeardownOrder(of: Self.succeeded(candidates, in: run), run.enabling)

      guard let fault = Self.fault(of: order, candidates, run) else { continue }
      Issue.record("\(candidates) \(fault):\n\(order)\n\(run.sequence)\n\(pond)")
      return
    }
  }

  /// Returns a description of an error in an order of teardowns; `nil` if the order is correct. The
  /// dependents of each pebble are compared with the pebbles that it enabled, which are determined
  /// by brute force.
  private static func fault(
    of order: TeardownOrder, _ candidates: [Int], _ run: OrderedRun
  ) -> String? {
    let steps = order.pebbles.indices
    let succeeded = candidates.filter { run.storage.state.status(of: $0) == .succeeded }
    guard order.pebbles.compactMap(\.self).sorted() == succeeded else { return "not all once" }
    guard steps.allSatisfy({ step in order.dependents(of: step).allSatisfy { $0 < step } }) else {
      return "not in order"
    }
    let between = steps.filter { order.pebbles[$0] == nil }
    guard between.allSatisfy({ order.dependents(of: $0).count > 1 }) else { return "idle steps" }
    guard between.allSatisfy({ step in steps.contains { order.dependents(of: $0).contains(step) } })
    else { return "loose steps" }

    let enabling = run.enabling
    let enablers = reach(of: run.sequence.sorted()) { enabling.pebbles(deciding: $0) }
    let dependents = reach(of: Array(steps)) { Array(order.dependents(of: $0)) }
    for (step, pebble) in zip(steps, order.pebbles) {
      guard let pebble else { continue }
      let found = Set(dependents[step, default: []].compactMap { order.pebbles[$0] })
      let expected = Set(succeeded.filter { enablers[$0, default: []].contains(pebble) })
      guard found == expected else { return "p\(pebble) after \(found), not \(expected)" }
    }
    return nil
  }

  private static func reach(of nodes: [Int], _ next: (Int) -> [Int]) -> [Int: Set<Int>] {
    let reached = nodes.map { node in
      var found: Set<Int> = []
      var pending = next(node)
      while let one = pending.popLast() {
        if found.insert(one).inserted { pending += next(one) }
      }
      return (node, found)
    }
    return Dictionary(uniqueKeysWithValues: reached)
  }
}
