/// A search for the strongly connected components of a directed graph.
///
/// The search returns one component at a time. Each component comes after all other components that
/// can be reached from it. The search is an iterative form of Tarjan's algorithm (*Depth-first
/// search and linear graph algorithms*, 1972).
///
/// ```swift
/// var components = StronglyConnectedComponents(nodeCount: graph.count)
/// components.search(from: graph.indices)
/// while let component = components.next(along: graph.target) { … }
/// ```
///
/// The caller may examine the components found so far, and remove edges, before the search
/// continues.
///
/// - Complexity: O(nodes + edges) for all components together.
package struct StronglyConnectedComponents {
  private struct Visit {
    /// The sequence number of the visit, starting at 1; 0 for a node that has not been visited.
    var order = 0

    /// The lowest `order` among the nodes that are known to be reachable from this node and do not
    /// belong to a component yet.
    var lowest = 0

    /// The number of the node's component, starting at 1; 0 if it is not known yet.
    var component = 0
  }

  /// A node that is being searched, and the edge to follow next. The edge is `unvisited` if the
  /// node has not been visited.
  private struct Frame {
    let node: Int
    var edge = Self.unvisited

    static let unvisited = -1
  }

  /// The members of all components found so far, grouped by component. Within a component, the
  /// member that was visited first comes last, so most members come after the targets of their
  /// edges.
  package private(set) var members: [Int] = []

  /// The number of visits so far.
  package private(set) var visitCount = 0

  private var visits: [Visit]
  private var frames: [Frame] = []
  private var stack: [Int] = []
  private var componentCount = 0

  /// Creates a search in a graph.
  ///
  /// - Parameter nodeCount: The number of nodes, which are numbered from 0.
  package init(nodeCount: Int) {
    visits = Array(repeating: Visit(), count: nodeCount)
  }

  /// Queues nodes to search next, in the given order. The search then continues where it was
  /// interrupted. A queued node that is visited before its turn is not searched again.
  package mutating func search(from nodes: some BidirectionalCollection<Int>) {
    for node in nodes.reversed() { frames.append(Frame(node: node)) }
  }

  /// Queues members of the latest component to be searched again before the search continues. Call
  /// this method after removing some of these members' edges. The members cannot lead to a node
  /// that is still being searched, because edges are only removed, never added.
  package mutating func searchAgain(_ nodes: some BidirectionalCollection<Int>) {
    for node in nodes { visits[node] = Visit() }
    search(from: nodes)
  }

  /// Finds the next component.
  ///
  /// - Parameter target: A function that returns the target of an edge, given a node and the
  ///   zero-based position of the edge among the node's edges. Beyond the last edge, the function
  ///   returns `nil`, and the search leaves the node. The function returns `nil` once for each
  ///   visited node.
  /// - Returns: The positions of the component's members in ``members``; `nil` if there are no more
  ///   components.
  package mutating func next(along target: (_ node: Int, _ edge: Int) -> Int?) -> Range<Int>? {
    while let frame = frames.last {
      let source = frame.node
      guard frame.edge != Frame.unvisited else {
        frames.removeLast()
        if visits[source].order == 0 { visit(source) }
        continue
      }
      guard let target = target(source, frame.edge) else {
        if let component = leave(source) { return component }
        continue
      }
      frames[frames.count - 1].edge += 1
      if visits[target].order == 0 {
        visit(target)
      } else if visits[target].component == 0 {
        visits[source].lowest = min(visits[source].lowest, visits[target].order)
      }
    }
    return nil
  }

  /// Returns the number of the component that contains a node; `nil` if the component has not been
  /// found yet. Components are numbered from 0 in the order in which they are found.
  package func component(of node: Int) -> Int? {
    visits[node].component == 0 ? nil : visits[node].component - 1
  }

  /// Returns the sequence number, starting at 1, of the most recent visit to a node; 0 if the node
  /// has not been visited.
  package func order(of node: Int) -> Int { visits[node].order }

  private mutating func visit(_ node: Int) {
    visitCount += 1
    visits[node] = Visit(order: visitCount, lowest: visitCount)
    stack.append(node)
    frames.append(Frame(node: node, edge: 0))
  }

  /// Leaves a node after all its edges have been followed.
  ///
  /// - Returns: The positions of the component's members in ``members`` if the component is now
  ///   complete; otherwise `nil`. A component is complete when the search leaves the member it
  ///   visited first.
  private mutating func leave(_ node: Int) -> Range<Int>? {
    frames.removeLast()
    let visit = visits[node]
    guard visit.lowest == visit.order else {
      if let parent = frames.last?.node {
        visits[parent].lowest = min(visits[parent].lowest, visit.lowest)
      }
      return nil
    }
    componentCount += 1
    let start = members.count
    while let member = stack.popLast() {
      visits[member].component = componentCount
      members.append(member)
      if member == node { break }
    }
    return start..<members.count
  }
}
