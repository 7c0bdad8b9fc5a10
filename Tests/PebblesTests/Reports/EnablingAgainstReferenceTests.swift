import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite(.timeLimit(.minutes(15))) struct EnablingAgainstReferenceTests {
  @Test(arguments: 0..<8)
  func randomRunsAreDecidedAsInTheReplay(shard: Int) {
    var generator = SeededGenerator(seed: 4_000 + UInt64(shard))
    for _ in 0..<500 {
      let pond = ReferencePond.random(
        mostPebbles: 10, using: &generator)
      let run = OrderedRun.random(
        pond, smallestShared: shard < 4 ? 1 : 16, using: &generator)
      let enabling = run.enabling

      for pebble in pond.conditions.indices {
        let deciders = Set(enabling.pebbles(deciding: pebble))
        guard let fault = Self.fault(of: deciders, deciding: pebble, in: run) else { continue }
        Issue.record("p\(pebble), decided by \(deciders), \(fault):\n\(run.sequence)\n\(pond)")
        return
      }
    }
  }

  private static func fault(
    of deciders: Set<Int>, deciding pebble: Int, in run: OrderedRun
  ) -> String? {
    let before = Set(run.sequence.prefix { $0 != pebble })
    guard deciders.isSubset(of: before) else { return "settled before them" }
    switch run.storage.state.status(of: pebble) {
    case .waiting, .running: return "is not settled"
    case .skippedByStall, .skippedByCancellation, .skippedAsDisabled, .skippedByHolder:
      return deciders.isEmpty ? nil : "should have none"
    case .succeeded, .failed, .skippedByCondition: break
    }
    let moment = Replay.momentOfDecision(of: pebble, in: run)
    if hasArrivedFirst(deciders, at: pebble, in: run, choices(of: pebble, in: run)) {
      let replay = Replay(run, upTo: before.count, knowing: deciders)
      let value = replay.value(of: replay.condition(of: pebble))
      return value == run.storage.state.status(of: pebble).isRun ? nil : "needs more"
    }
    let replay = Replay(run, upTo: moment, knowing: deciders)
    let value = replay.value(of: replay.condition(of: pebble))
    guard value == run.storage.state.status(of: pebble).isRun else { return "needs more" }

    let choices = choices(of: pebble, in: run)
    return choices.contains(deciders) ? nil : "should have one of \(choices)"
  }

  private static func choices(of pebble: Int, in run: OrderedRun) -> Set<Set<Int>> {
    let whole = Replay(run, upTo: Replay.momentOfDecision(of: pebble, in: run))
    return whole.deciders(of: whole.condition(of: pebble))
  }

  /// Whether the run has noted one of these that was not first in the order of the replay: what is
  /// skipped at the same time arrives in another one.
  private static func hasArrivedFirst(
    _ deciders: Set<Int>, at pebble: Int, in run: OrderedRun, _ choices: Set<Set<Int>>
  ) -> Bool {
    guard let cause = run.storage.state.cause(of: pebble) else { return false }
    return deciders.contains(cause) && !choices.contains { $0.contains(cause) }
  }
}

extension PebbleStatus {
  fileprivate var isRun: Bool { self == .succeeded || self == .failed }
}

extension OrderedRun {
  /// A finished run of a random pond, ended in a random order.
  static func random(
    _ pond: ReferencePond, smallestShared: Int32, using generator: inout SeededGenerator
  ) -> OrderedRun {
    var run = OrderedRun(pond.compiled(smallestShared: smallestShared))
    run.finish(
      choosing: { $0[Int(generator.next() % UInt64($0.count))] },
      succeeding: { pond.succeeds[$0] })
    return run
  }
}
