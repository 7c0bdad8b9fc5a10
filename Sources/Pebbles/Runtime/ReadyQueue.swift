import Synchronization

/// The pebbles that are ready and not yet taken, first come first served, without a lock.
///
/// A pebble becomes ready at most once per run, so the queue is a list of fixed size that only
/// grows: writers reserve places at its end and fill them; readers take places from its front. A
/// place holds the pebble plus one, and 0 until it is filled. The places of pebbles that are ready
/// from the start are not stored at all: the network has that list.
///
/// A reader that meets a reserved place not yet filled goes away as if the queue were empty,
/// although filled places may follow. That loses nothing: whoever fills a place makes sure
/// *afterwards* that a runner comes and looks (`Dispatcher.summonSpare`).
final class ReadyQueue: @unchecked Sendable {
  private let initial: FlatArray<UInt32>
  private let places: UnsafeMutablePointer<Atomic<UInt32>>
  private let capacity: Int
  private let reserved = Atomic(0)
  private let taken = Atomic(0)

  init(_ network: ReadinessNetwork) {
    initial = network.initiallyReady
    capacity = network.pebbleCount - initial.count
    places = .allocate(capacity: capacity)
    for place in 0..<capacity { (places + place).initialize(to: Atomic(0)) }
  }

  deinit {
    places.deallocate()
  }

  // All of these may be out of date at once.
  var isEmpty: Bool { length <= 0 }

  var length: Int { initial.count + reserved.load(ordering: .relaxed) - front }

  /// The place of the pebble to be taken next.
  var front: Int { taken.load(ordering: .relaxed) }

  func append(_ pebbles: ArraySlice<UInt32>) {
    let start = reserved.add(pebbles.count, ordering: .relaxed).oldValue
    for (place, pebble) in zip(start..., pebbles) {
      places[place].store(pebble + 1, ordering: .releasing)
    }
  }

  func take() -> Int? {
    var front = taken.load(ordering: .relaxed)
    while true {
      guard let pebble = pebble(at: front) else { return nil }
      let (isMine, current) = taken.weakCompareExchange(
        expected: front, desired: front + 1, ordering: .relaxed)
      if isMine { return pebble }
      front = current
    }
  }

  private func pebble(at place: Int) -> Int? {
    if place < initial.count { return Int(initial[place]) }
    let place = place - initial.count
    guard place < capacity else { return nil }
    let word = places[place].load(ordering: .acquiring)
    return word == 0 ? nil : Int(word) - 1
  }
}
