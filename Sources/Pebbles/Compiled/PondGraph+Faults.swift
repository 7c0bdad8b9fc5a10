extension PondGraph {
  /// Returns all faults: first those of the pond itself, and then, in definition order, empty
  /// names, repeated names, and the other faults of pebbles.
  ///
  /// A repeated name is placed at its first occurrence. Any other fault is placed at the pebble
  /// that has the fault, or at the first pebble of the same name.
  ///
  /// - Parameter others: The faults that do not concern names, in definition order.
  /// - Returns: All faults, merged by position.
  /// - Complexity: O(*n* + *f* log *f*) expected, where *n* is the number of pebbles and *f* is the
  ///   number of faults.
  func mergedFaults(with others: [PondError.Fault]) -> [PondError.Fault] {
    if others.isEmpty, QuickNameCheck.areDistinctAndASCII(names) { return [] }
    let occurrences = names.indices.reduce(into: [String: (first: Int, count: Int)]()) {
      $0[names[$1], default: ($1, 0)].count += 1
    }
    let empty = names.indices.filter { names[$0].isEmpty }
      .map { PondError.Fault.emptyName(position: $0) }
    let repeated = occurrences.filter { !$0.key.isEmpty && $0.value.count > 1 }
      .map { PondError.Fault.duplicateName($0.key, count: $0.value.count) }

    func position(of fault: PondError.Fault) -> Int {
      switch fault.detail {
      case .emptyName(let position): position
      case .duplicateName(let name, _), .foreignPebble(_, _, let name),
        .invalidOption(let name, _):
        occurrences[name]?.first ?? names.count
      case .invalidPond, .invalidRun, .invalidShutdown, .invalidSignals, .runsItself,
        .waitsForItself:
        -1
      }
    }
    // At the same position, faults of names come first; the others follow in the order in which
    // they were found.
    return (empty + repeated + others).enumerated()
      .map { (position: position(of: $0.element), number: $0.offset, fault: $0.element) }
      .sorted { ($0.position, $0.number) < ($1.position, $1.number) }
      .map(\.fault)
  }
}

extension PondGraph {
  /// The faults of the clusters themselves, in definition order.
  var clusterFaults: [PondError.Fault] {
    var counts: [String: Int] = [:]
    for cluster in clusters { counts[cluster.name, default: 0] += 1 }
    return clusters.flatMap { cluster in
      // Reports a repeated name where it first occurs.
      let count = counts.removeValue(forKey: cluster.name) ?? 1
      return problems(of: cluster, count: count).map { PondError.Fault.invalidPond(problem: $0) }
    }
  }

  private func problems(of cluster: PondCluster, count: Int) -> [String] {
    let name = cluster.name.swiftLiteral
    var problems: [String] = []
    if cluster.shortName.isEmpty {
      let place = cluster.parent.map { " in its cluster \(clusters[$0].name.swiftLiteral)" } ?? ""
      problems.append("has a cluster without a name\(place); give it one")
    } else if count > 1 {
      problems.append("has \(count) clusters named \(name); give each a name of its own")
    }
    switch cluster.refusal {
    case .isWithinItself:
      problems.append("has a cluster \(name) that contains itself; add another pond there")
    case .isTooLarge:
      problems.append("has no room for the cluster \(name); use fewer pebbles")
    case nil: break
    }
    if let most = cluster.maxConcurrent, most < 1 {
      problems.append(
        "has a cluster \(name) that lets at most \(most) pebbles run at a time; "
          + "make that 1 or more")
    }
    return problems
  }
}

extension PondGraph {
  /// Returns the error to throw if the graph does not contain the given pebble.
  package func error(for pebble: some PebbleIdentifying) -> UnknownPebbleError {
    switch pebble.pebbleID.kind {
    case .name(let name): Self.error(forName: name)
    case .handle(let reference):
      UnknownPebbleError(
        name: reference.name,
        description: definition.isDescended(from: reference.definition)
          ? "\(reference.name.swiftLiteral) was added to the pond later"
          : "\(reference.name.swiftLiteral) is a pebble of the pond "
            + "\(reference.definition.pondName.swiftLiteral), not of this one")
    }
  }

  /// Returns the error to throw for a question that mentions an unknown pebble. The error quotes
  /// `text`, the wording of the question.
  package func error(
    for pebble: PebbleReference, mentionedBy text: String
  ) -> UnknownPebbleError {
    let error = error(for: PebbleID(kind: .handle(pebble)))
    return UnknownPebbleError(
      name: error.name,
      description: "\(text.singleLine.truncated(to: 200)) cannot be decided: \(error.description)")
  }

  /// Returns the error to throw for a question that mentions an unknown case. The error quotes
  /// `text`, the wording of the question.
  package func error(forCaseIn text: String) -> UnknownPebbleError {
    UnknownPebbleError(
      name: "",
      description: "\(text.singleLine.truncated(to: 200)) cannot be decided: a case that it "
        + "mentions was added to the pond later")
  }

  static func error(forName name: String) -> UnknownPebbleError {
    UnknownPebbleError(name: name, description: "no pebble is named \(name.swiftLiteral)")
  }
}
