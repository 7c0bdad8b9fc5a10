extension ReadinessState {
  /// The statuses of several pebbles at one moment.
  ///
  /// A status only moves forward; so when two readings of all of them agree, the pebbles stood like
  /// that together in between.
  func snapshot(of pebbles: [Int]) -> [PebbleStatus] {
    var statuses = pebbles.map(status(of:))
    while true {
      let again = pebbles.map(status(of:))
      if again == statuses { return statuses }
      statuses = again
    }
  }
}
