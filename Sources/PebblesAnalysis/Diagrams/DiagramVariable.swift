/// A variable of a `Diagram`: its place in the order. Higher variables are nearer to the root.
package struct DiagramVariable: Sendable, Hashable, Comparable {
  /// The level of the variable, from 1; terminals are at level 0.
  let level: UInt32

  package static func < (left: DiagramVariable, right: DiagramVariable) -> Bool {
    left.level < right.level
  }

  /// The number of the variable in the order of addition, from 0.
  package var number: Int { Int(level) - 1 }
}
