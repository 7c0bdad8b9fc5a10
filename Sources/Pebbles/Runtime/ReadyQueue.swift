import Synchronization

/// The pebbles that are ready and not yet taken.
///
/// Ordinarily first come first served, without a lock. A pebble becomes ready at most once per run,
/// so the queue is a list of fixed size that only grows: writers reserve places at its end and fill
/// them; readers take places from its front. A place holds the pebble plus one, and 0 until it is
/// filled. The places of pebbles that are ready from the start are not stored at all: the network
/// has that list.
///
/// A reader that meets a reserved place not yet filled goes away as if the queue were empty,
/// although filled places may follow. That loses nothing: a writer that fills a place makes sure
/// *afterwards* that a runner comes and looks (`RunCore.summonSpare`).
///
/// In a pond with limits or priorities, who goes first is up to an `AdmissionQueue`, under a lock.
final class ReadyQueue: @unchecked Sendable {
  // Safe to share: all that changes is atomic or behind the lock.
  private let initial: FlatArray<UInt32>
  private let places: UnsafeMutablePointer<Atomic<UInt32>>
  private let capacity: Int
  private let reserved = Atomic(0)
  private let taken = Atomic(0)

  /// Whether pebbles hold something that has to be given back, and all must pass the queue.
  let isOrdered: Bool
  private let admission: Mutex<AdmissionQueue?>

  /// - Parameters:
  ///   - network: The network of the pond.
  ///   - holdsInitial: Whether the pebbles that are ready from the start are in it already.
  ///   - admission: Who goes first, and under which limits; first come first served if `nil`.
  init(_ network: ReadinessNetwork, holdsInitial: Bool, _ admission: AdmissionQueue?) {
    isOrdered = admission != nil
    initial = holdsInitial && !isOrdered ? network.initiallyReady : FlatArray([])
    capacity = isOrdered ? 0 : network.pebbleCount - initial.count
    places = .allocate(capacity: capacity)
    for place in 0..<capacity { (places + place).initialize(to: Atomic(0)) }
    self.admission = Mutex(admission)
  }

  deinit {
    places.deallocate()
  }

  /// Whether those that are ready from the start still have to be added.
  var needsInitial: Bool { initial.count == 0 }

  // All of these may be out of date at once.
  var isEmpty: Bool { length <= 0 }

  /// How many pebbles could be taken.
  var length: Int {
    if isOrdered { return admission.withLock { $0?.canAdmit == true ? $0?.count ?? 0 : 0 } }
    return initial.count + reserved.load(ordering: .relaxed) - front
  }

  /// How many pebbles have been taken.
  var front: Int { taken.load(ordering: .relaxed) }

  func append(_ pebbles: ArraySlice<UInt32>) {
    if isOrdered { return admission.withLock { $0?.add(pebbles) } }
    let start = reserved.add(pebbles.count, ordering: .relaxed).oldValue
    for (place, pebble) in zip(start..., pebbles) {
      places[place].store(pebble + 1, ordering: .releasing)
    }
  }

  func take() -> Int? {
    if isOrdered { return takeInOrder() }
    var front = taken.load(ordering: .relaxed)
    while true {
      guard let pebble = pebble(at: front) else { return nil }
      let (isMine, current) = taken.weakCompareExchange(
        expected: front, desired: front + 1, ordering: .relaxed)
      if isMine { return pebble }
      front = current
    }
  }

  /// A pebble that was taken has settled: gives back what it held, and adds what has become ready.
  /// Only where there is an order.
  ///
  /// At once, or another runner could take with what was given back a pebble that has waited, and
  /// pass over a better one that is just being added.
  ///
  /// - Parameters:
  ///   - pebble: The pebble that has settled.
  ///   - keepsUses: Whether its body goes on although it was given up, so that what the pebble uses
  ///     stays with it, until `giveBackUses(of:)`.
  ///   - ready: What has become ready.
  func giveBack(_ pebble: Int, keepsUses: Bool, adding ready: ArraySlice<UInt32>) {
    admission.withLock { admission in
      admission?.release(UInt32(pebble), keepsUses: keepsUses)
      admission?.add(ready)
    }
  }

  /// The last body of a pebble has ended after it was given up.
  func giveBackUses(of pebble: Int) {
    admission.withLock { $0?.releaseUses(of: UInt32(pebble)) }
  }

  /// Takes out those that wait for more than there would be if these pebbles never gave back what
  /// they use.
  ///
  /// - Returns: What was taken out, each with one of those that it waits for.
  func removeBlocked(by holders: [Int]) -> [(pebble: Int, holder: Int)] {
    admission.withLock { $0?.removeBlocked(by: holders) ?? [] }
  }

  /// How many wait for their turn, even if none could be taken. Only where there is an order.
  var waitingCount: Int { admission.withLock { $0?.count ?? 0 } }

  /// What holds back those of these pebbles that are ready and have not been taken.
  func obstacles(of pebbles: [Int]) -> [Int: [AdmissionQueue.Obstacle]] {
    guard isOrdered else { return [:] }
    return admission.withLock { admission in
      pebbles.reduce(into: [:]) { $0[$1] = admission?.obstacles(of: UInt32($1)) }
    }
  }

  private func takeInOrder() -> Int? {
    guard let pebble = admission.withLock({ $0?.take() }) else { return nil }
    taken.add(1, ordering: .relaxed)
    return Int(pebble)
  }

  private func pebble(at place: Int) -> Int? {
    if place < initial.count { return Int(initial[place]) }
    let place = place - initial.count
    guard place < capacity else { return nil }
    let word = places[place].load(ordering: .acquiring)
    return word == 0 ? nil : Int(word) - 1
  }
}
