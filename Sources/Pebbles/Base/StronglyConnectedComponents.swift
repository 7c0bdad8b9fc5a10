/// A search for the strongly connected components of a directed graph.
///
/// The search returns one component at a time, after all other components that can be reached from
/// it. It uses Tarjan's algorithm (*Depth-first search and linear graph algorithms*, 1972) in an
/// iterative form.
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

    /// The lowest `order` of a node that is known to be reachable from this node and is not in a
    /// component yet.
    var lowest = 0

    /// The number of the node's component, starting at 1; 0 if it is not known yet.
    var component = 0
  }

  /// A node that is being searched, and the edge to follow next; `unvisited` if the node has yet to
  /// be visited.
  private struct Frame {
    let node: Int
    var edge = Self.unvisited

    static let unvisited = -1
  }

  /// The members of all components found so far, component after component. Within a component, the
  /// member that was visited first is last, so that most members come after the members that they
  /// lead to.
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

  /// Queues nodes from which to search, first to last, before the search continues where it was. A
  /// node that has been visited in the meantime is not searched again.
  package mutating func search(from nodes: some BidirectionalCollection<Int>) {
    for node in nodes.reversed() { frames.append(Frame(node: node)) }
  }

  /// Queues some members of the latest component to be searched once more, before the search
  /// continues, because some of their edges have been removed. Edges are only removed, never added,
  /// so a node that is still being searched cannot be reached from these members.
  package mutating func searchAgain(_ nodes: some BidirectionalCollection<Int>) {
    for node in nodes { visits[node] = Visit() }
    search(from: nodes)
  }

  /// Finds the next component.
  ///
  /// - Parameter target: A function that returns the target of an edge of a node, given the
  ///   zero-based position of the edge among the edges of the node; `nil` beyond the last edge. It
  ///   returns `nil` once for each node, as the search leaves the node.
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

  /// Returns the zero-based number of the component that contains a node, in the order of the
  /// search; `nil` if it is not known yet.
  package func component(of node: Int) -> Int? {
    visits[node].component == 0 ? nil : visits[node].component - 1
  }

  /// Returns the sequence number, starting at 1, of the last visit of a node; 0 if there was none.
  package func order(of node: Int) -> Int { visits[node].order }

  private mutating func visit(_ node: Int) {
    visitCount += 1
    visits[node] = Visit(order: visitCount, lowest: visitCount)
    stack.append(node)
    frames.append(Frame(node: node, edge: 0))
  }

  /// Leaves a node whose edges have all been followed.
  ///
  /// - Returns: The component of the node, if the node was visited before all other members, so
  ///   that the component is complete; otherwise `nil`.
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
