import Pebbles

/// The pebbles that can conclude a run from the user's point of view. In an app, for example, these
/// are the screens, one of which should be shown.
///
/// A pond does not say which pebbles these are, and its goal may mention other pebbles as well. A
/// pebble is therefore assumed to be an end if it waits for other pebbles and no pebble waits for
/// it, whether or not the goal mentions the pebble.
///
/// A stand-in performs a step that another pebble could not perform. It is not an end, although no
/// pebble waits for it. A pebble is assumed to be a stand-in if its condition mentions a pebble
/// whose name ends in the same word. For example, `otidLogin` may stand in for `userLogin`.
package struct PondEnds: Sendable {
  package let model: PondModel

  /// The positions of the ends, in definition order.
  package private(set) var positions: [Int] = []

  /// The stand-ins, each with the pebble that it replaces.
  package private(set) var standIns: [(pebble: Int, original: Int)] = []

  /// The maximum number of pebbles in a model that is searched for stand-ins.
  private static let mostSearched = 1_000

  /// Creates an instance by finding the ends of a model.
  ///
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

// MARK: The warning

extension PondEnds {
  /// The maximum number of ends in a pond for which `warning` is computed. More ends than this are
  /// unlikely to be alternatives within one run.
  private static let mostEnds = 12

  /// The maximum number of pebbles in a pond for which `warning` is computed. In a larger pond,
  /// following all scenarios takes longer than drawing the pond.
  private static let mostPebbles = 300

  /// The maximum number of nodes in the diagrams. Ponds within the other limits usually need fewer.
  private static let diagramLimit = 50_000

  /// A warning that, in some endings, no end or more than one end runs. The warning states the
  /// number of endings of each kind. A second sentence names up to three stand-ins, which were not
  /// counted as ends.
  ///
  /// The warning is `nil` in any of these cases:
  ///
  /// - Exactly one end runs in every ending.
  /// - Not all endings are known.
  /// - The pond has too many pebbles, too many ends, or fewer than two ends.
  /// - The ends do not look like alternatives, because at least one may run together with each of
  ///   the others.
  /// - The goal mentions an end, and so already says how a run should end.
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
      "Of \(count) endings, \(counts.joined(" and ")) of the ends "
      + "\(ends.joined(" and "))."
    return others.isEmpty ? text : text + " Not counted: \(others.joined(separator: "; "))."
  }

  private func isInGoal(_ pebbles: [Int]) -> Bool {
    guard let goal = model.pond.network.goal else { return false }
    return !model.pond.sources(of: [goal]).isDisjoint(with: pebbles)
  }

  /// Returns whether, for each end, there is another end that never runs in the same ending.
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
  /// Returns the pebbles that the gates wait for, directly or through other gates.
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
  /// Returns the condition that is true if a pebble runs.
  package func completion(of pebble: Int) -> Condition {
    let reference = PebbleReference(definition: pond.graph.definition, index: UInt32(pebble))
    return Condition(.atom(Atom(pebble: reference, outcomes: .completed)))
  }
}

extension LargeCount {
  /// The count followed by a form of "have": `1 has`, `88 have`.
  fileprivate var have: String { exact == 1 ? "1 has" : "\(self) have" }
}

extension Condition {
  fileprivate var isConstant: Bool {
    if case .constant = expression { true } else { false }
  }
}

extension String {
  /// The last word of a name, in lowercase: `login` for `otidLogin` and `otid-login`; empty if the
  /// name has only one word.
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
