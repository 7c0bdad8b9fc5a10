extension ReadinessState {
  /// Takes an outcome as given, in a state that is only read: nothing follows from it.
  func assume(_ status: PebbleStatus, of pebble: Int) {
    assert(self.status(of: pebble) == .waiting, "pebble \(pebble) has an outcome already")
    pebbles[pebble].status.store(status.rawValue, ordering: .releasing)
  }
}
