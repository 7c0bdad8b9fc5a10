extension ReadinessState {
  /// Sets the status of a pebble in a state that is only read. The status decides no conditions.
  func assume(_ status: PebbleStatus, of pebble: Int) {
    assert(self.status(of: pebble) == .waiting, "pebble \(pebble) has an outcome already")
    pebbles[pebble].status.store(status.rawValue, ordering: .releasing)
  }
}
