import Pebbles

/// Why a pebble ended as it did: itself, the pebbles that really decided its condition, those that
/// decided theirs, and so on, down to what no other pebble decided.
///
/// ```swift
/// print(report.why(refresh))
/// ```
/// ```
/// refresh was blocked
/// ├─ needs login to succeed, but it was blocked
/// │  └─ needs ping to succeed, but it failed: no route
/// └─ or needs cache to succeed, but it was disabled
/// ```
///
/// Of a condition it has a part that made it what it was, and nothing of that can be left out: one
/// false operand of an AND, the one that was false first; all of a false OR; and the other way
/// round of a true condition. A pebble that failed is not asked further: its error says why.
///
/// Shows a hundred pebbles, the nearest ones, twenty for each condition; ``elidedPebbles`` says how
/// many more have a part in it.
public struct Why: Sendable, Hashable {
  /// The pebble asked for, then the ones behind it. What is behind a node comes after it and before
  /// its next sibling, as in the printed tree.
  public let nodes: [WhyNode]

  /// How many pebbles have a part in it that are not among ``nodes``.
  public let elidedPebbles: Int

  /// The same in one sentence, with the pebbles at the root of a skip: `refresh was blocked: it
  /// needs login to succeed, but login was blocked; at the root, ping failed: no route`.
  public let sentence: String

  /// What is at the root of it, as a clause: `at the root, ping failed: no route`; `nil` if that is
  /// no other pebble than those that decided its condition.
  package let roots: String?

  /// What went wrong with the pebble after it had settled, a clause each: as a service that ended
  /// unasked, or when it was torn down.
  public internal(set) var lateFailures: [String] = []

  /// What is not taken into account, where the run is only assumed.
  public internal(set) var limitations: [ScenarioLimitation] = []

  package init(nodes: [WhyNode], elidedPebbles: Int, sentence: String, roots: String? = nil) {
    self.nodes = nodes
    self.elidedPebbles = elidedPebbles
    self.sentence = sentence
    self.roots = roots
  }
}

/// One pebble in a ``Why``.
public struct WhyNode: Sendable, Hashable {
  /// Where the pebble stands in definition order; `nil` for a pebble that was not in the
  /// run.
  public let position: Int?

  /// The name of the pebble.
  public let name: String

  /// How the pebble ended.
  public let outcome: RecordedOutcome?

  /// Whether it matters that the pebble was skipped; `nil` if it ran.
  public internal(set) var skipKind: SkipKind?

  /// The cases that hold of how it ended.
  public internal(set) var cases: [PebbleCase] = []

  /// How many steps it is away from the pebble asked for.
  public let depth: Int

  /// What it has to do with the node it stands under.
  public let role: Role

  /// What the part of the condition is called that mentions it, see
  /// `Condition.labeled(_:)`.
  public let label: String?

  /// Whether what is behind it stands elsewhere in the tree, where it came up first.
  public internal(set) var isShownAbove = false

  /// Whether no pebble decided its condition: it is false as it stands.
  public internal(set) var isFalseFromStart = false

  /// How many more pebbles decided it than stand under it.
  public internal(set) var elidedChildren = 0

  /// For a pebble skipped in a stall, which pebbles wait for which: the smallest cycle found that
  /// holds it.
  public internal(set) var waits: [Wait] = []

  /// How many more pebbles are in that cycle.
  public internal(set) var elidedWaits = 0

  /// What a node has to do with the one it stands under.
  public enum Role: Sendable, Hashable {
    /// It is the one asked for.
    case subject

    /// What it did is a part of what made the condition true.
    case satisfied

    /// What it did is a part of what made the condition false: it was needed to do something else,
    /// such as `succeed`.
    case falsified(needed: String)
  }

  /// One pebble of a cycle, and those it waits for, one of which would be enough.
  public struct Wait: Sendable, Hashable {
    /// The name of the pebble that waits.
    public let pebble: String

    /// The names of those it waits for.
    public let awaited: [String]
  }
}
