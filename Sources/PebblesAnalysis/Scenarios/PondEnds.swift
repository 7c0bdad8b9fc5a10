import Pebbles

/// The pebbles with which a run can end for the one who looks at it, as the screens of an app of
/// which one should come up.
///
/// No pond says which those are, and a goal may mention more. They are taken to be the pebbles that
/// wait for others, and that no other waits for, but perhaps the goal. A pebble that does for
/// another what that could not is a step, as that one is, and no end, although nothing goes on
/// behind it: one that reads another of which the name ends in the same word, as `otidLogin` reads
/// `userLogin`.
package struct PondEnds: Sendable {
  package let model: PondModel

  /// Where the ends stand, in definition order.
  package private(set) var positions: [Int] = []

  /// Where those stand that nothing waits for either, and for which pebble each of them stands in.
  package private(set) var standIns: [(pebble: Int, original: Int)] = []

  /// Stand-ins are looked for among so many pebbles at most.
  private static let mostSearched = 1_000

  /// - Complexity: O(pebbles + atoms).
  package init(of model: PondModel) {
    self.model = model
    let network = model.pond.network
    let read = model.pond.sources(of: Array(0..<model.count))
    let isUnread = (0..<model.count).map {
      !read.contains($0) && !model.condition(at: $0).isConstant
    }
    var originals: [Int: Int] = [:]
    if model.count <= Self.mostSearched {
      let words = model.names.map(\.lastWord)
      for original in isUnread.indices where !isUnread[original] && !words[original].isEmpty {
        for reader in network.readers(of: original) where isUnread[reader.pebble] {
          guard words[reader.pebble] == words[original] else { continue }
          originals[reader.pebble] = originals[reader.pebble] ?? original
        }
      }
    }
    for pebble in isUnread.indices where isUnread[pebble] {
      if let original = originals[pebble] {
        standIns.append((pebble, original))
      } else {
        positions.append(pebble)
      }
    }
  }
}

// MARK: What is wrong with them

extension PondEnds {
  /// Where more pebbles are ends, they are not those of a boot that is to have one of them.
  private static let mostEnds = 12

  /// In a larger pond, to follow all scenarios takes longer than to draw it.
  private static let mostPebbles = 300

  /// As many nodes as diagrams of such ponds need, if they are small.
  private static let diagramLimit = 50_000

  /// In how many endings none of the ends runs, or several do.
  ///
  /// One or two sentences; `nil` if one of the ends always runs alone, if that cannot be said of
  /// all endings, or if the ends do not look as if only one of them should run: each has another
  /// with which it never runs. Nor is anything said where the goal mentions one of them: then it is
  /// the goal that says how a run should end.
  package var warning: String? {
    guard 2...Self.mostEnds ~= positions.count, model.count <= Self.mostPebbles,
      !isInGoal(positions)
    else { return nil }
    let scenarios = model.scenarios(limit: Self.diagramLimit)
    guard scenarios.isExact, let count = scenarios.largeCount,
      let tally = try? scenarios.largeTally(of: positions.map(model.completion)),
      areAlternatives(scenarios)
    else { return nil }
    let several = tally.enumerated().dropFirst(2).filter { $0.element.exact != 0 }
      .map { "\($0.element.have) \($0.offset == 2 ? "two" : "\($0.offset)")" }
    guard tally[0].exact != 0 || !several.isEmpty else { return nil }
    let counts = (tally[0].exact != 0 ? ["\(tally[0].have) none"] : []) + several
    let names = model.names
    let name = { (pebble: Int) in names[pebble].shortName }
    let ends = positions.map(name)
    let others = standIns.prefix(3).map {
      "\(name($0.pebble)), which stands in for \(name($0.original))"
    }
    let text =
      "Of \(count) endings, \(counts.joined(with: " and ")) of the ends "
      + "\(ends.joined(with: " and "))."
    return others.isEmpty ? text : text + " Not counted: \(others.joined(separator: "; "))."
  }

  private func isInGoal(_ pebbles: [Int]) -> Bool {
    guard let goal = model.pond.network.goal else { return false }
    return !model.pond.sources(of: [goal]).isDisjoint(with: pebbles)
  }

  /// Whether each of the ends has another with which it never runs.
  private func areAlternatives(_ scenarios: Scenarios) -> Bool {
    positions.allSatisfy { end in
      positions.contains { other in
        let both = model.completion(of: end) && model.completion(of: other)
        return other != end && (try? scenarios.count(where: both)) == 0
      }
    }
  }
}

extension PondLogic {
  /// The pebbles that gates wait for, through whatever lies between.
  ///
  /// - Complexity: O(atoms).
  fileprivate func sources(of gates: [Int]) -> Set<Int> {
    var pebbles: Set<Int> = []
    var known: Set<Int> = []
    var pending = gates
    while let gate = pending.popLast() {
      for operand in operands[gate] {
        let source = Int(operand.source)
        if network.kind(ofRow: source) == .pebble {
          pebbles.insert(source)
        } else if known.insert(source).inserted {
          pending.append(source)
        }
      }
    }
    return pebbles
  }
}

extension PondModel {
  /// That a pebble runs, as a condition.
  package func completion(of pebble: Int) -> Condition {
    let reference = PebbleReference(definition: pond.graph.definition, index: UInt32(pebble))
    return Condition(.atom(Atom(pebble: reference, outcomes: .completed)))
  }
}

extension LargeCount {
  /// `1 has`, `88 have`.
  fileprivate var have: String { exact == 1 ? "1 has" : "\(self) have" }
}

extension [String] {
  /// `a, b and c`.
  fileprivate func joined(with word: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + word + last
  }
}

extension Condition {
  fileprivate var isConstant: Bool {
    if case .constant = expression { true } else { false }
  }
}

extension String {
  /// The last word of a name in letters of one size, `login` for `otidLogin` and `otid-login`;
  /// empty if it is all there is.
  fileprivate var lastWord: String {
    let rest = self[...].drop { !$0.isLetter }
    let end = rest.lastIndex(where: \.isLetter).map(rest.index(after:)) ?? rest.startIndex
    var start = end
    while start > rest.startIndex {
      let before = rest.index(before: start)
      guard rest[before].isLetter else { break }
      start = before
      if rest[before].isUppercase { break }
    }
    return start > rest.startIndex ? rest[start..<end].lowercased() : ""
  }
}
