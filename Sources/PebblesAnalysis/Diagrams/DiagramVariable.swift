/// A variable of a `Diagram`: its place in the order. Higher variables are nearer to the root.
package struct DiagramVariable: Sendable, Hashable, Comparable {
  /// The level of the variable, starting at 1; the terminal is at level 0.
  let level: UInt32

  package static func < (left: DiagramVariable, right: DiagramVariable) -> Bool {
    left.level < right.level
  }

  /// The zero-based position of the variable in the order in which variables were added.
  package var number: Int { Int(level) - 1 }
}
