extension PondGraph {
  /// All that is wrong: with the pond first, then in definition order the names, which must be
  /// there and must tell the pebbles apart, and `others`, mentions of pebbles of other ponds and
  /// options.
  ///
  /// A repeated name counts where it first stands; any other fault where the pebble that it is
  /// about stands, or the first of its name.
  ///
  /// - Parameter others: Other faults, in definition order.
  /// - Returns: All faults, merged by position.
  /// - Complexity: O(*n*) expected, and O(*f* log *f*) in the faults.
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
    // At one position, names come first, and the others as they were found.
    return (empty + repeated + others).enumerated()
      .map { (position: position(of: $0.element), number: $0.offset, fault: $0.element) }
      .sorted { ($0.position, $0.number) < ($1.position, $1.number) }
      .map(\.fault)
  }
}
