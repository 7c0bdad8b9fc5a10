/// The restarts of services, as seen by the pebbles that take their outputs.
extension RunStorage {
  /// Returns the current restart counts of the services that provide the inputs of a pebble, keyed
  /// by service. Services that have not been restarted are left out.
  func inputRestarts(of pebble: Int) -> [Int: Int] {
    guard values.mayHaveLatestOutputs, pond.graph.hasInputs(pebble) else { return [:] }
    var counts: [Int: Int] = [:]
    for input in pond.graph.pebblesRead(by: pebble) {
      if let count = notes(at: input)?.restartCount, count > 0 { counts[input] = count }
    }
    return counts
  }

  /// Returns whether a service has been restarted since a pebble took the service's output, in this
  /// run or in an earlier one.
  func hasRestarted(_ service: Int, since reader: Int) -> Bool {
    let known = kept[reader].flatMap { $0.origin == nil ? $0.inputRestarts : nil }
    let taken = known ?? notes(at: reader)?.inputRestarts ?? [:]
    return notes(at: service)?.restartCount ?? 0 != taken[service, default: 0]
  }
}
