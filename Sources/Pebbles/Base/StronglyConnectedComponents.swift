/// Finds the strongly connected components of a directed graph, one after the other, each after all
/// that it leads to: Tarjan's algorithm (*Depth-first search and linear graph algorithms*, 1972),
/// kept iterative.
///
/// ```swift
/// var components = StronglyConnectedComponents(nodeCount: graph.count)
/// components.search(from: graph.indices)
/// while let component = components.next(along: graph.target) { … }
/// ```
///
/// What was found may be looked at, and edges be removed, before the search goes on.
///
/// - Complexity: O(nodes + edges) for all components together.
package struct StronglyConnectedComponents {
  private struct Visit {
    /// Which visit this was, from 1; 0 for a node that has not been visited.
    var order = 0

    /// The first visit known to be reached from here, of those not in a component yet.
    var lowest = 0

    /// Which component the node is in, from 1; 0 for none yet.
    var component = 0
  }

  /// A node that is being searched, and which of its edges comes next; at first, that it is to be.
  private struct Frame {
    let node: Int
    var edge = Self.unvisited

    static let unvisited = -1
  }

  /// The members of all components found so far, component after component, in each the one that
  /// was visited first last: so most come after what they lead to in a component too.
  package private(set) var members: [Int] = []

  /// How many visits there have been so far.
  package private(set) var visitCount = 0

  private var visits: [Visit]
  private var frames: [Frame] = []
  private var stack: [Int] = []
  private var componentCount = 0

  /// - Parameter nodeCount: How many nodes there are; they are numbered from 0.
  package init(nodeCount: Int) {
    visits = Array(repeating: Visit(), count: nodeCount)
  }

  /// Searches from these nodes, first to last, before it goes on from where it was. Those that have
  /// been visited by then are passed over.
  package mutating func search(from nodes: some BidirectionalCollection<Int>) {
    for node in nodes.reversed() { frames.append(Frame(node: node)) }
  }

  /// Searches members of the component that was found last once more before it goes on, because
  /// edges of theirs are gone. As edges only disappear, they lead to none of those it is still at.
  package mutating func searchAgain(_ nodes: some BidirectionalCollection<Int>) {
    for node in nodes { visits[node] = Visit() }
    search(from: nodes)
  }

  /// Finds the next component.
  ///
  /// - Parameter target: Where an edge of a node leads, by its place from 0; `nil` if there are no
  ///   more, which is asked once for each node, as the search leaves it.
  /// - Returns: The places of its members in ``members``; `nil` if there are no more.
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

  /// The number of the component that a node is in, from 0 in the order of the search; `nil` if it
  /// is not known yet.
  package func component(of node: Int) -> Int? {
    visits[node].component == 0 ? nil : visits[node].component - 1
  }

  /// Which of all visits the last one of a node was, from 1; 0 if there was none.
  package func order(of node: Int) -> Int { visits[node].order }

  private mutating func visit(_ node: Int) {
    visitCount += 1
    visits[node] = Visit(order: visitCount, lowest: visitCount)
    stack.append(node)
    frames.append(Frame(node: node, edge: 0))
  }

  /// - Returns: The component that is complete now, if the node was the first of one.
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
