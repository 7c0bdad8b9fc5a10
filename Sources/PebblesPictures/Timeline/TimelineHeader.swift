import Pebbles
import PebblesAnalysis

/// The header of a timeline: the pond and its makespan, the verdict, and a legend for the signs
/// used in the timeline.
struct TimelineHeader {
  /// An entry of the legend.
  enum Key: Hashable {
    case succeeded, failed, blocked, skipped
    case attempts, waitsForOthers, waitsForLimit, waitsForThread
    case chain, group
  }

  struct Item {
    let key: Key
    let text: String

    /// The left edge of the sample that illustrates the entry. The sample is `keyWidth` wide, and
    /// is followed by the entry's text.
    let x: Double
    let baseline: Double
  }

  static let keyWidth = 26.0
  static let lineHeight = 17.0

  let title: String

  let description: String

  /// The lines of the verdict on the run.
  let verdict: [String]
  let items: [Item]
  let height: Double

  init(_ facts: RunFacts, hasGroups: Bool) {
    let size = TimelineLayout.fontSize
    let mostX = TimelineLayout.width - TimelineLayout.margin
    title = "\(RunFacts.shown(facts.run.model.name)) · \(facts.run.makespan.brief)"
    description = facts.verdict
    verdict = Self.lines(of: description, width: mostX - TimelineLayout.margin, size: size + 1)
    var baseline = 34 + Self.lineHeight * Double(verdict.count) + 22
    var x = TimelineLayout.margin
    items = Self.keys(facts, hasGroups: hasGroups).map { key in
      let width = Self.keyWidth + 6 + TextWidth.width(of: key.text, size: size)
      if x + width > mostX {
        x = TimelineLayout.margin
        baseline += Self.lineHeight
      }
      defer { x += width + 18 }
      return Item(key: key, text: key.text, x: x, baseline: baseline)
    }
    height = baseline + 12
  }

  private static func lines(of text: String, width: Double, size: Double) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      let longer = (lines.last.map { $0 + " " } ?? "") + word
      if lines.isEmpty || TextWidth.width(of: longer, size: size) > width {
        lines.append(TextWidth.cut(String(word), to: width, size: size))
      } else {
        lines[lines.count - 1] = longer
      }
    }
    return lines
  }

  /// Returns the entries for the signs that apply to pebbles of the run. In the picture, some of
  /// these signs may be too small to be visible, or hidden in groups.
  private static func keys(_ facts: RunFacts, hasGroups: Bool) -> [Key] {
    let pebbles = facts.run.pebbles
    var found: Set<Key> = []
    for pebble in pebbles.indices {
      switch pebbles[pebble].outcome {
      case .succeeded: found.insert(.succeeded)
      case .failed: found.insert(.failed)
      case .skipped: found.insert(facts.skipKinds[pebble] == .blocked ? .blocked : .skipped)
      }
      if pebbles[pebble].attempts.count > 1 { found.insert(.attempts) }
      switch facts.wait(of: pebble) {
      case .limit: found.insert(.waitsForLimit)
      case .thread: found.insert(.waitsForThread)
      case nil: break
      }
      if pebbles[pebble].outcome.isCompleted, facts.ready(of: pebble) > 0 {
        found.insert(.waitsForOthers)
      }
    }
    if !facts.chain.isEmpty { found.insert(.chain) }
    if hasGroups { found.insert(.group) }
    let order: [Key] = [
      .succeeded, .failed, .blocked, .skipped, .attempts, .waitsForOthers, .waitsForLimit,
      .waitsForThread, .chain, .group,
    ]
    return order.filter(found.contains)
  }
}

extension TimelineHeader.Key {
  fileprivate var text: String {
    switch self {
    case .succeeded: "✓ succeeded"
    case .failed: "✗ failed"
    case .blocked: "⊘ blocked"
    case .skipped: "○ not needed, or not to run"
    case .attempts: "attempts"
    case .waitsForOthers: "waits for others"
    case .waitsForLimit: "waits for a limit"
    case .waitsForThread: "waits for a thread"
    case .chain: "longest chain"
    case .group: "many pebbles, filled while some ran"
    }
  }
}
