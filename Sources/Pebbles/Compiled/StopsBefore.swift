/// The services that must stop before other pebbles are torn down.
struct StopsBefore {
  /// The services, each with the pebbles that are torn down after the service.
  private(set) var later: [Int: [Int]] = [:]

  /// The faults in `stopsBefore` traits, each with its pebble.
  private(set) var faults: [PondError.Fault] = []

  init(_ graph: PondGraph, _ options: [UInt32: PebbleOptions]) {
    for (pebble, options) in options.sorted(by: { $0.key < $1.key })
    where options.isService && !options.traits.stopsBefore.isEmpty {
      let service = Int(pebble)
      for other in options.traits.stopsBefore {
        if let position = graph.position(of: other, mentionedBy: service, options.placement) {
          later[service, default: []].append(position)
        } else {
          faults.append(
            .invalidOption(
              pebble: graph.names[service],
              problem: "cannot stop before \(other.description.swiftLiteral), "
                + "which the pond does not have"))
        }
      }
    }
    faults += cycles(graph)
  }

  private func cycles(_ graph: PondGraph) -> [PondError.Fault] {
    // The search would otherwise allocate a place for every pebble.
    guard !later.isEmpty else { return [] }
    var search = StronglyConnectedComponents(nodeCount: graph.names.count)
    search.search(from: later.keys.sorted())
    var faults: [PondError.Fault] = []
    while let component = search.next(along: { node, edge in
      later[node].flatMap { $0.indices.contains(edge) ? $0[edge] : nil }
    }) {
      let members = search.members[component].sorted()
      guard let service = members.first,
        members.count > 1 || later[service]?.contains(service) == true
      else { continue }
      let others = members.dropFirst().prefix(4).map { graph.names[$0].swiftLiteral }
      let through = others.isEmpty ? "" : ", through \(others.joined(separator: ", "))"
      faults.append(
        .invalidOption(
          pebble: graph.names[service], problem: "cannot stop before itself\(through)"))
    }
    return faults
  }
}
