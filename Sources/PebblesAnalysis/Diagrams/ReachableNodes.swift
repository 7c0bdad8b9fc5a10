/// The nodes of one function of a `Diagram`, including the terminal. They are numbered from 0,
/// children before parents.
///
/// The structure stores a bit for each node of the diagram up to the root, and a running count for
/// every 64 bits. The numbers can serve as indices into an array that has a value for each node of
/// the function.
struct ReachableNodes: Sequence {
  private var words: [UInt64]
  private var counts: [Int] = []

  /// The number of nodes, including the terminal.
  private(set) var count = 0

  init(from function: BooleanFunction, in nodes: [Diagram.Node]) {
    words = Array(repeating: 0, count: function.node / 64 + 1)
    words[0] = 1  // the terminal
    var pending = insert(function.node) ? [function.node] : []
    while let number = pending.popLast() {
      let (low, high) = (nodes[number].low.node, nodes[number].high.node)
      if insert(low) { pending.append(low) }
      if insert(high) { pending.append(high) }
    }
    counts.reserveCapacity(words.count)
    for word in words {
      counts.append(count)
      count += word.nonzeroBitCount
    }
  }

  private mutating func insert(_ number: Int) -> Bool {
    let bit: UInt64 = 1 << UInt64(number % 64)
    guard words[number / 64] & bit == 0 else { return false }
    words[number / 64] |= bit
    return true
  }

  /// Returns the position of a function's node among these nodes. The terminal is at position 0.
  func position(of function: BooleanFunction) -> Int {
    let (word, bit) = function.node.quotientAndRemainder(dividingBy: 64)
    let before = words[word] & ((1 << UInt64(bit)) - 1)
    return counts[word] + before.nonzeroBitCount
  }

  /// Returns an iterator over the diagram's numbers for these nodes, lowest first, without the
  /// terminal.
  func makeIterator() -> some IteratorProtocol<Int> {
    var word = 0
    var bits = words[0] & ~1
    return AnyIterator {
      while bits == 0 {
        word += 1
        guard word < words.count else { return nil }
        bits = words[word]
      }
      defer { bits &= bits - 1 }
      return word * 64 + bits.trailingZeroBitCount
    }
  }
}
