/// A Boolean function of the variables of one `Diagram`, represented by an edge to one of the
/// diagram's nodes.
///
/// Two functions of the same diagram are equal if and only if they agree for all assignments.
package struct BooleanFunction: Sendable, Hashable {
  /// The number of the node, shifted left by one bit. The lowest bit is set if the edge negates the
  /// node.
  let word: UInt32

  init(word: UInt32) {
    self.word = word
  }

  init(node: Int) {
    word = UInt32(node) << 1
  }

  /// The function that is always true: node 0, the only terminal.
  package static let always = BooleanFunction(word: 0)
  package static let never = BooleanFunction(word: 1)

  package init(_ value: Bool) {
    self = value ? .always : .never
  }

  var node: Int { Int(word >> 1) }
  var isNegated: Bool { word & 1 == 1 }
  package var isConstant: Bool { node == 0 }

  /// Returns the negation of a function.
  ///
  /// - Complexity: O(1).
  package static prefix func ! (function: BooleanFunction) -> BooleanFunction {
    BooleanFunction(word: function.word ^ 1)
  }

  /// Returns the negation of this function if the edge that represents `other` negates a node;
  /// otherwise, returns this function.
  func negated(like other: BooleanFunction) -> BooleanFunction {
    BooleanFunction(word: word ^ (other.word & 1))
  }
}
