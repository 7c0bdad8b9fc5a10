extension Occupancy {
  /// Enters with the given number of units, stays for a few turns of other tasks, and leaves.
  func visit(units: Int = 1) async {
    enter(units: units)
    for _ in 0..<3 { await Task.yield() }
    leave(units: units)
  }

  func enter(units: Int) {
    for _ in 0..<units { enter() }
  }

  func leave(units: Int) {
    for _ in 0..<units { leave() }
  }
}
