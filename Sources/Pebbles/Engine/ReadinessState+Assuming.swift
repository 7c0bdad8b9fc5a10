extension ReadinessState {
  /// Sets the status of a pebble without passing it on, so that it decides no conditions. Used for
  /// states that are only read.
  func assume(_ status: PebbleStatus, of pebble: Int) {
    assert(self.status(of: pebble) == .waiting, "pebble \(pebble) has an outcome already")
    pebbles[pebble].status.store(status.rawValue, ordering: .releasing)
  }
}
