import Pebbles
import PebblesTestSupport

/// All endings of a reference pond, found by running it repeatedly. The outcomes of the bodies that
/// run, and the cases that hold, are the decisions of a tree, which is searched depth-first.
struct AllEndings {
  struct Ending {
    let end: ReferenceEnding

    /// The pebbles that ran, one bit per pebble. In the same way, `failed` has the pebbles that
    /// failed.
    let ran: Int
    let failed: Int

    var outcomes: [ReferenceOutcome] { end.outcomes }
  }

  let pond: ReferencePond
  private(set) var endings: [Ending] = []

  init(_ pond: ReferencePond) {
    self.pond = pond
    let options = pond.conditions.indices.map(pond.decisions)
    var pending = [(decisions: options.map { $0[0] }, decided: 0)]
    while let (decisions, decided) = pending.popLast() {
      var attempt = pond
      attempt.succeeds = decisions.map(\.succeeds)
      attempt.answers = decisions.map(\.cases)
      var run = ReferenceRun(attempt)
      run.run { $0[0] }
      let ran = run.started.reduce(0) { $0 | 1 << $1 }
      let failed = run.started.reduce(0) { attempt.succeeds[$1] ? $0 : $0 | 1 << $1 }
      endings.append(
        Ending(
          end: ReferenceEnding(run.outcomes.compactMap(\.self), held: run.held), ran: ran,
          failed: failed))
      // Each body that ran and had no decision yet: those started before it end as usual, it ends
      // otherwise.
      var known = decided
      for pebble in run.started where known >> pebble & 1 == 0 {
        known |= 1 << pebble
        for option in options[pebble].dropFirst() {
          var other = decisions
          other[pebble] = option
          pending.append((other, known))
        }
      }
    }
  }

  /// Returns, for each set of bodies, the endings in which a body that is called fails exactly if
  /// it is in the set. A set is represented by the bits of the index. Bodies that are not called
  /// make no difference, so an ending can occur for several sets.
  func byFailures(among count: Int) -> [[Ending]] {
    var places = [[Int]](repeating: [], count: 1 << count)
    for (place, ending) in endings.enumerated() {
      let free = ~ending.ran & ((1 << count) - 1)
      var subset = free
      while true {
        places[ending.failed | subset].append(place)
        guard subset > 0 else { break }
        subset = (subset - 1) & free
      }
    }
    return places.map { $0.map { endings[$0] } }
  }
}

extension ReferencePond {
  /// Returns a random pond with cases that has few enough endings to examine all of them.
  static func randomWithCases(
    mostPebbles: Int, mostEndings: Int, using generator: inout SeededGenerator
  ) -> ReferencePond {
    while true {
      let pond = random(mostPebbles: mostPebbles, withCases: true, using: &generator)
      let most = pond.conditions.indices.reduce(1) { $0 * pond.decisions(of: $1).count }
      if most <= mostEndings { return pond }
    }
  }
}
