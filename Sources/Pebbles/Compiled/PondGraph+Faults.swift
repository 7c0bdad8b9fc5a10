extension PondGraph {
  /// Returns all faults. The faults of the pond itself come first. The others follow in definition
  /// order: empty and repeated names, and the faults of pebbles in `others`.
  ///
  /// A repeated name is placed at its first occurrence. Any other fault is placed at its pebble, or
  /// at the first pebble of the same name.
  ///
  /// - Parameter others: The other faults, in definition order.
  /// - Returns: All faults, merged by position.
  /// - Complexity: O(*n*) expected, and O(*f* log *f*) in the number of faults.
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
