import Pebbles

/// An explanation of why a pebble ended as it did, as a tree of pebbles. Below each pebble are the
/// pebbles that decided its condition. The tree ends at pebbles whose conditions were not decided
/// by other pebbles.
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
/// For each condition, the tree shows a minimal part that decided it. A true AND or a false OR is
/// decided by all its operands. A false AND is decided by the operand that became false first, and
/// a true OR by the operand that became true first. If more than 64 atoms decided a condition, the
/// part that is shown may not be minimal. The tree also ends at any failed pebble other than the
/// explained one, because the error already explains the failure.
///
/// The tree shows at most the 100 pebbles nearest to the explained pebble, and at most 20 for each
/// condition. The printed tree states how many pebbles are left out.
public struct Why: Sendable, Hashable {
  /// The nodes of the tree, starting with the explained pebble. As in the printed tree, a node is
  /// followed first by all nodes below it, and then by its next sibling.
  public let nodes: [WhyNode]

  /// The number of pebbles that contributed to the outcome but are not among ``nodes``.
  package let elidedPebbles: Int

  /// The explanation in one sentence, including the root causes of a skip: `refresh was blocked: it
  /// needs login to succeed, but login was blocked; at the root, ping failed: no route`.
  public let sentence: String

  /// The root causes, as a clause: `at the root, ping failed: no route`; `nil` if the clause about
  /// the pebble's condition already states all of them in full.
  package let roots: String?

  /// Clauses about problems that occurred after the pebble had settled: failed teardowns, and
  /// services that ended without being asked to stop. Services of nested runs are included.
  package internal(set) var lateFailures: [String] = []

  /// Effects that are ignored when a hypothetical run is explained; empty for an actual run.
  public internal(set) var limitations: [ScenarioLimitation] = []

  package init(nodes: [WhyNode], elidedPebbles: Int, sentence: String, roots: String? = nil) {
    self.nodes = nodes
    self.elidedPebbles = elidedPebbles
    self.sentence = sentence
    self.roots = roots
  }
}

/// A pebble in the tree of a ``Why``.
public struct WhyNode: Sendable, Hashable {
  /// The position of the pebble in definition order; `nil` if it was not in the run.
  public let position: Int?

  /// The name of the pebble.
  public let name: String

  /// The outcome of the pebble. A pebble that was not in the run counts as skipped.
  public let outcome: RecordedOutcome

  /// The kind of the skip, which indicates whether the skip matters; `nil` if the pebble ran, or if
  /// the kind is unknown.
  public internal(set) var skipKind: SkipKind?

  /// The cases that hold for the outcome.
  public internal(set) var cases: [PebbleCase] = []

  /// The level of the node in the tree; the pebble to explain is at level 0.
  public let depth: Int

  /// The relation of the node to the node above it.
  public let role: Role

  /// The label of the part of the condition that mentions the pebble; `nil` if that part has no
  /// label. See `Condition.labeled(_:)`.
  public let label: String?

  /// Whether the pebbles that decided the condition are shown under an earlier node for the same
  /// pebble.
  var isShownAbove = false

  /// Whether the condition was false from the start. In that case, no pebble decided it.
  var isFalseFromStart = false

  /// The number of atoms that decided the condition but have no node under this one.
  var elidedChildren = 0

  /// The pebbles that wait for each other in a cycle; empty unless the pebble was skipped in a
  /// stall. The cycle contains this pebble, but is not necessarily the smallest such cycle. Only
  /// the first twenty pebbles of the cycle are included.
  public internal(set) var waits: [Wait] = []

  /// The number of pebbles in the cycle that are not among ``waits``.
  var elidedWaits = 0

  /// The relation of a node to the node above it.
  public enum Role: Sendable, Hashable {
    /// The pebble to explain.
    case subject

    /// A pebble whose outcome helped to make the condition true.
    case satisfied

    /// A pebble whose outcome helped to make the condition false. `needed` is a verb for the
    /// outcome that was needed, such as `succeed`.
    case falsified(needed: String)
  }

  /// A pebble in a cycle, and the pebbles that it waits for. Any one of the awaited pebbles could
  /// end the wait.
  public struct Wait: Sendable, Hashable {
    /// The name of the pebble that waits.
    public let pebble: String

    /// The names of the awaited pebbles; the first twenty if there are more.
    public let awaited: [String]
  }
}
