/// A variable of a `Diagram`: its place in the order. Higher ones stand nearer to the root.
package struct DiagramVariable: Sendable, Hashable, Comparable {
  /// From 1; terminals are at level 0.
  let level: UInt32

  package static func < (left: DiagramVariable, right: DiagramVariable) -> Bool {
    left.level < right.level
  }

  /// The number of the variable, from 0, in the order in which they were added.
  package var number: Int { Int(level) - 1 }
}
