/// The strongly connected components of a directed graph, each after all it leads to (Tarjan,
/// *Depth-first search and linear graph algorithms*, 1972), found without recursion.
struct StrongComponents {
  /// The members of all components, component after component, in the order of the search.
  private(set) var members: [Int] = []

  /// Where in `members` each component starts, and where the last one ends.
  private var starts = [0]

  /// - Parameters:
  ///   - count: How many nodes there are; they are numbered from 0.
  ///   - roots: Where to search first. What cannot be reached from there comes after.
  ///   - targets: Where the edges of a node lead. Called once for each node.
  /// - Complexity: O(nodes + edges).
  init(count: Int, roots: [Int] = [], targets: (Int) -> [Int]) {
    var orders = [UInt32](repeating: 0, count: count)  // 0: not visited
    var lowest = [UInt32](repeating: 0, count: count)
    var isPlaced = [Bool](repeating: false, count: count)
    var stack: [Int] = []
    var frames: [(node: Int, targets: [Int], next: Int)] = []
    var visitCount: UInt32 = 0

    func visit(_ node: Int) {
      visitCount += 1
      orders[node] = visitCount
      lowest[node] = visitCount
      stack.append(node)
      frames.append((node, targets(node), 0))
    }

    members.reserveCapacity(count)
    for root in [roots, Array(0..<count)].joined() where orders[root] == 0 {
      visit(root)
      while let frame = frames.last {
        guard frame.next < frame.targets.count else {
          frames.removeLast()
          if let parent = frames.last?.node {
            lowest[parent] = min(lowest[parent], lowest[frame.node])
          }
          guard lowest[frame.node] == orders[frame.node],
            let start = stack.lastIndex(of: frame.node)
          else { continue }
          for member in stack[start...] { isPlaced[member] = true }
          members += stack[start...]
          stack.removeSubrange(start...)
          starts.append(members.count)
          continue
        }
        frames[frames.count - 1].next += 1
        let target = frame.targets[frame.next]
        if orders[target] == 0 {
          visit(target)
        } else if !isPlaced[target] {
          lowest[frame.node] = min(lowest[frame.node], orders[target])
        }
      }
    }
  }

  var count: Int { starts.count - 1 }

  /// The nodes of a component: those it was found through come before those found through them.
  subscript(component: Int) -> ArraySlice<Int> {
    members[starts[component]..<starts[component + 1]]
  }
}
