import Synchronization

/// The runs that bodies of a run have started and that are up when these bodies have ended: they
/// are torn down where what the pebble has opened is.
final class AdoptedRuns: Sendable {
  private let runs = Mutex<[Int: [RunCore]]>([:])

  func add(_ run: RunCore, at pebble: Int) {
    runs.withLock { $0[pebble, default: []].append(run) }
  }

  /// The pebbles that have such.
  var pebbles: [Int] { runs.withLock { Array($0.keys) } }

  func runs(at pebble: Int) -> [RunCore] {
    runs.withLock { $0[pebble] ?? [] }
  }
}

extension RunCore {
  /// A body of this run has run a pond to its end, and what that has opened is open.
  func adopt(_ run: RunCore, at pebble: Int) {
    guard !storage.state.status(of: pebble).isSettled else {
      // A service may run other ponds for as long as it lives, and has to shut them down itself.
      if !services.running.contains(pebble) { run.shutDown(.shutdown) }
      return
    }
    adopted.add(run, at: pebble)
    life.take { $0.adopted() }
    // Its body may have been given up meanwhile, and this run torn down without that one. After the
    // lock, so that either the teardown knows it, or this knows that the pebble has settled.
    if storage.state.status(of: pebble).isSettled, !services.running.contains(pebble) {
      run.shutDown(.shutdown)
    }
  }
}
