import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that repeatedly look up the handlers of failures while pebbles settle, and compare the
/// answers with those of a search that starts anew each time.
@Suite(.watched) struct FailureHandlersTests {
  /// The states to which pebbles change, one after the other. Many pebbles are skipped, so that
  /// failures often pass to other handlers.
  private static let ends: [PebbleStatus] =
    [
      .running, .succeeded, .failed, .skippedByCancellation, .skippedAsDisabled,
      .skippedAsNotAskedFor, .skippedByHolder,
    ] + Array(repeating: .skippedByCondition, count: 12)

  /// Checks random statuses of all pebbles, including combinations that cannot occur in a run,
  /// because the rule depends only on the statuses.
  @Test(arguments: 0..<8)
  func answersAreThoseOfASearchFromTheStart(shard: Int) {
    var generator = SeededGenerator(seed: 7_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(100) {
      let pond = ReferencePond.random(
        mostPebbles: 12, withCases: shard >= 4, using: &generator)
      let network = pond.compiled(smallestShared: 16).network
      let held = Set(network.cases.rows.filter { _ in Bool.random(using: &generator) })
      let readers = (0..<network.pebbleCount).map { network.readers(of: $0) }
      var statuses = Array(repeating: PebbleStatus.waiting, count: network.pebbleCount)
      var handlers = FailureHandlers(network)

      for pebble in (0..<network.pebbleCount).shuffled(using: &generator) {
        statuses[pebble] = Self.ends.randomElement(using: &generator) ?? .failed
        for failed in statuses.indices where statuses[failed] == .failed {
          guard Bool.random(using: &generator) else { continue }
          let found = handlers.handling(
            ofFailure: failed, status: { statuses[$0] }, caseHolds: held.contains)

          let search = Search(readers, statuses, held, of: failed)
          guard search.allows(found) else {
            Issue.record("\(found) of \(failed), where \(statuses)\n\(pond)")
            return
          }
        }
      }
    }
  }

  /// Checks a failure with many handlers, which are skipped one at a time. After each skip, the
  /// handling of the failure is looked up again. The time would be quadratic if every lookup
  /// started a new search.
  @Test(arguments: Shape.allCases)
  func aFailureWhoseHandlersAreSkippedOneByOneIsNotSearchedFromTheStart(shape: Shape) {
    let count = 20_000
    let pond = Pond("long")
    let failed = pond.pebble("failed") { throw Breakdown() }
    var steps = [failed]
    for number in 1...count {
      steps.append(pond.pebble("step \(number)", when: steps[number - 1].succeeded) {})
    }
    if shape == .cycle { steps[1].ready = steps[0].succeeded && steps[count].succeeded }
    for number in 0..<count {
      let step = shape == .oneEnd ? steps[count] : steps[number + 1]
      pond.pebble("handler \(number)", when: step.skipped) {}
    }
    let network = pond.program().pond.network
    var statuses = Array(repeating: PebbleStatus.skippedByCondition, count: count + 1)
    statuses[0] = .failed
    statuses += Array(repeating: .waiting, count: count)
    var handlers = FailureHandlers(network)
    var answers: [FailureHandling] = []

    for _ in 0...count {
      let answer = handlers.handling(
        ofFailure: 0, status: { statuses[$0] }, caseHolds: { _ in false })
      answers.append(answer)
      if case .mayBeHandled(let handler) = answer { statuses[handler] = .skippedByCancellation }
    }

    #expect(answers.last == .unhandled)
    #expect(answers.dropLast().allSatisfy { $0 != .unhandled })
    #expect(Set(answers).count == count + 1)
  }

  enum Shape: CaseIterable { case chain, oneEnd, cycle }
}

/// A search for the pebbles that handle a failure, or that may still handle it. It does not use the
/// results of earlier searches.
private struct Search {
  private var waiting: Set<Int> = []
  private var isHandled = false

  init(
    _ readers: [[ReadinessNetwork.Reader]], _ statuses: [PebbleStatus], _ held: Set<Int>,
    of failed: Int
  ) {
    var found: Set<Int> = [failed]
    var pending = [failed]
    while let pebble = pending.popLast() {
      let event: Event = pebble == failed ? .failed : .skipped
      for reader in readers[pebble] {
        switch statuses[reader.pebble] {
        case .waiting: waiting.insert(reader.pebble)
        case .running, .succeeded, .failed: isHandled = true
        case .skippedByCancellation, .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
          break
        case .skippedByCondition, .skippedByStall:
          guard reader.isSkippedBecause(of: event, holding: held) else { continue }
          if found.insert(reader.pebble).inserted { pending.append(reader.pebble) }
        }
      }
    }
  }

  /// Returns whether an answer is consistent with the search.
  func allows(_ handling: FailureHandling) -> Bool {
    switch handling {
    case .handled: isHandled
    case .mayBeHandled(let reader): waiting.contains(reader)
    case .unhandled: !isHandled && waiting.isEmpty
    }
  }
}

extension ReadinessNetwork.Reader {
  /// Returns whether the event makes one of the reader's atoms false. If so, the event is a reason
  /// for a skip of the reader. The tested code uses the gates of the network instead of readers.
  fileprivate func isSkippedBecause(of event: Event, holding held: Set<Int>) -> Bool {
    rejects(event)
      || cases.contains { $0.outcomes.accepts(event) && held.contains($0.row) == $0.isNegated }
  }
}
