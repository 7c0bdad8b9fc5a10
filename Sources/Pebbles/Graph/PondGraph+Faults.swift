extension PondGraph {
  /// Names must be there, and must tell the pebbles apart.
  ///
  /// - Complexity: O(*n*) expected.
  var namingFaults: [PondError.Fault] {
    var faults: [PondError.Fault] = []
    var seen = Set<String>(minimumCapacity: names.count)
    var repeated: [String: Int] = [:]
    for (position, name) in names.enumerated() {
      if name.isEmpty {
        faults.append(.emptyName(position: position))
      } else if !seen.insert(name).inserted {
        repeated[name, default: 1] += 1
      }
    }
    for (name, count) in repeated.sorted(by: { $0.key < $1.key }) {
      faults.append(.duplicateName(name, count: count))
    }
    return faults
  }
}
