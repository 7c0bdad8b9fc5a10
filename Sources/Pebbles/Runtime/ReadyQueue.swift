import Synchronization

/// The pebbles that are ready and not yet taken.
///
/// Ordinarily without a lock, and in no order that a caller may count on. The pebbles that are
/// ready from the start are not stored at all: the network has that list, and a counter says how
/// many of them are gone. What becomes ready later is a stack, linked through an array with a place
/// for each pebble: what was enabled last is likely to be in the cache still, and so is what it
/// enables. A pebble becomes ready at most once per run. So its link is written once, before the
/// pebble can be seen, and a stack whose top is what it was is the stack that it was. All of them
/// are taken before the run ends, so none can starve.
///
/// In a pond with limits, priorities or blocking pebbles, who goes first is up to an
/// `OrderedQueue`.
final class ReadyQueue: @unchecked Sendable {
  // Safe to share: all that changes is atomic or a link, written before its
  // pebble is published with `top`.
  private let initial: FlatArray<UInt32>
  private let links: UnsafeMutablePointer<UInt32>

  // Apart from all else, and from each other, because every runner writes them: two cores that
  // write to one line slow each other down.
  private let top = UnsafeMutablePointer<Atomic<UInt64>>.allocateOnOwnCacheLine()
  //
  // The second counts those taken in an order: that of the list, or that of admission.
  private let takenInOrder = UnsafeMutablePointer<Atomic<Int>>.allocateOnOwnCacheLine()

  /// The uppermost pebble of the stack, and how many have been taken from it.
  private struct Top {
    static let none: UInt32 = 0

    /// The pebble plus one, or `none`.
    var link: UInt32
    var taken: UInt32

    init(link: UInt32, taken: UInt32) {
      self.link = link
      self.taken = taken
    }

    init(_ word: UInt64) {
      link = UInt32(truncatingIfNeeded: word)
      taken = UInt32(truncatingIfNeeded: word >> 32)
    }

    var word: UInt64 { UInt64(taken) << 32 | UInt64(link) }
    var pebble: Int { Int(link) - 1 }
  }

  /// Where there is an order, all pass this one.
  let ordered: OrderedQueue?

  /// Whether pebbles hold something that has to be given back, and all must pass the queue.
  let isOrdered: Bool

  /// - Parameters:
  ///   - network: The network of the pond.
  ///   - holdsInitial: Whether the pebbles that are ready from the start are in it already.
  ///   - ordered: Who goes first, and under which limits; whoever comes if `nil`.
  init(_ network: ReadinessNetwork, holdsInitial: Bool, _ ordered: OrderedQueue?) {
    self.ordered = ordered
    isOrdered = ordered != nil
    initial = holdsInitial && !isOrdered ? network.initiallyReady : FlatArray([])
    // Not initialized: a link is written before it is read.
    links = .allocate(capacity: isOrdered ? 0 : network.pebbleCount)
    top.initialize(to: Atomic(Top(link: Top.none, taken: 0).word))
    takenInOrder.initialize(to: Atomic(0))
  }

  deinit {
    links.deallocate()
    top.deallocate()
    takenInOrder.deallocate()
  }

  /// Whether those that are ready from the start still have to be added.
  var needsInitial: Bool { initial.count == 0 }

  // All of these may be out of date at once.
  var isEmpty: Bool {
    if isOrdered { return ordered?.admissibleCount == 0 }
    return Top(top.pointee.load(ordering: .relaxed)).link == Top.none
      && takenInOrder.pointee.load(ordering: .relaxed) >= initial.count
  }

  /// Whether at least so many pebbles could be taken.
  ///
  /// - Complexity: O(`count`).
  func holds(_ count: Int) -> Bool {
    if isOrdered { return ordered?.admissibleCount ?? 0 >= count }
    var known = max(0, initial.count - takenInOrder.pointee.load(ordering: .relaxed))
    var link = Top(top.pointee.load(ordering: .acquiring)).link
    while known < count, link != Top.none {
      known += 1
      link = links[Int(link) - 1]
    }
    return known >= count
  }

  /// How many pebbles have been taken, modulo 2³².
  var takenCount: UInt32 {
    Top(top.pointee.load(ordering: .relaxed)).taken
      &+ UInt32(truncatingIfNeeded: takenInOrder.pointee.load(ordering: .relaxed))
  }

  func append(_ pebbles: ArraySlice<UInt32>) {
    if isOrdered { return ordered?.append(pebbles) ?? () }
    guard let first = pebbles.first, let last = pebbles.last else { return }
    for (pebble, below) in zip(pebbles, pebbles.dropFirst()) { links[Int(pebble)] = below + 1 }
    var known = top.pointee.load(ordering: .relaxed)
    var isDone = false
    while !isDone {
      links[Int(last)] = Top(known).link
      (isDone, known) = top.pointee.weakCompareExchange(
        expected: known, desired: Top(link: first + 1, taken: Top(known).taken).word,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    }
  }

  func take() -> Int? {
    if isOrdered { return takeInOrder() }
    var known = top.pointee.load(ordering: .acquiring)
    while true {
      let uppermost = Top(known)
      guard uppermost.link != Top.none else { return takeInitial() }
      let below = Top(link: links[uppermost.pebble], taken: uppermost.taken &+ 1)
      let (isMine, current) = top.pointee.weakCompareExchange(
        expected: known, desired: below.word,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if isMine { return uppermost.pebble }
      known = current
    }
  }

  private func takeInitial() -> Int? {
    // Looked at first, so that the counter does not run away.
    guard takenInOrder.pointee.load(ordering: .relaxed) < initial.count else { return nil }
    let place = takenInOrder.pointee.add(1, ordering: .relaxed).oldValue
    return place < initial.count ? Int(initial[place]) : nil
  }

  /// Out of line, which keeps `take()` short for the ponds without an order.
  @inline(never)
  private func takeInOrder() -> Int? {
    guard let pebble = ordered?.take() else { return nil }
    takenInOrder.pointee.add(1, ordering: .relaxed)
    return pebble
  }
}
