import Synchronization

/// The pebbles that are ready and have not been taken.
///
/// Usually, the queue has no lock and no guaranteed order. It does not store the pebbles that are
/// ready from the start, because the network lists them, and a counter shows how many of them have
/// been taken. Pebbles that become ready later form a stack, because the pebble that became ready
/// last is probably still in the cache, as are the pebbles that it enables. The stack is linked
/// through an array with an element for each pebble. A pebble becomes ready at most once per run,
/// so its link is written only once, before other threads can find the pebble. Therefore, if the
/// top is unchanged, so is the whole stack. All pebbles are taken before the run ends, so none can
/// starve.
///
/// In a pond with limits, priorities or blocking pebbles, an `OrderedQueue` decides the order.
final class ReadyQueue: @unchecked Sendable {
  // Safe to share: everything that changes is atomic, or is a link that is written before its
  // pebble is published with `top`.
  private let initial: FlatArray<UInt32>
  private let links: UnsafeMutablePointer<UInt32>

  // Each of the following two values has a separate cache line, because every runner writes them,
  // and two cores that write to one line slow each other down.
  private let top = UnsafeMutablePointer<Atomic<UInt64>>.allocateOnOwnCacheLine()
  // The number of pebbles taken in the order of the list or, in an ordered queue, of admission.
  private let takenInOrder = UnsafeMutablePointer<Atomic<Int>>.allocateOnOwnCacheLine()

  /// The topmost pebble of the stack, and the number of pebbles taken from the stack.
  private struct Top {
    static let none: UInt32 = 0

    /// The number of the topmost pebble plus one, or `none` if the stack is empty.
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

  /// The queue that determines the order in which pebbles are taken; `nil` if no order is
  /// guaranteed.
  let ordered: OrderedQueue?

  /// Whether all pebbles pass through the ordered queue. If so, every pebble that is taken must
  /// later release its resources and its place among the running pebbles.
  let isOrdered: Bool

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - network: The network of the pond.
  ///   - holdsInitial: Whether the new queue contains the pebbles that are ready from the start;
  ///     ignored if `ordered` is not `nil`.
  ///   - ordered: The queue that decides the order; `nil` if the order is not guaranteed.
  init(_ network: ReadinessNetwork, holdsInitial: Bool, _ ordered: OrderedQueue?) {
    self.ordered = ordered
    isOrdered = ordered != nil
    initial = holdsInitial && !isOrdered ? network.initiallyReady : FlatArray([])
    // Not initialized, because a link is written before it is read.
    links = .allocate(capacity: isOrdered ? 0 : network.pebbleCount)
    top.initialize(to: Atomic(Top(link: Top.none, taken: 0).word))
    takenInOrder.initialize(to: Atomic(0))
  }

  deinit {
    links.deallocate()
    top.deallocate()
    takenInOrder.deallocate()
  }

  /// Whether the queue was created without the pebbles that are ready from the start. If so, they
  /// must be added.
  var needsInitial: Bool { initial.count == 0 }

  // The results of the following properties and functions may be outdated immediately.
  var isEmpty: Bool {
    if isOrdered { return ordered?.admissibleCount == 0 }
    return Top(top.pointee.load(ordering: .relaxed)).link == Top.none
      && takenInOrder.pointee.load(ordering: .relaxed) >= initial.count
  }

  /// Returns whether at least `count` pebbles can be taken. If the queue is ordered, pebbles that
  /// must still wait count as well, provided that at least one pebble can be taken.
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

  /// The number of pebbles that have been taken, modulo 2³². It may include a few failed attempts
  /// to take a pebble.
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
    // Checked first, so that the counter does not grow without bound.
    guard takenInOrder.pointee.load(ordering: .relaxed) < initial.count else { return nil }
    let place = takenInOrder.pointee.add(1, ordering: .relaxed).oldValue
    return place < initial.count ? Int(initial[place]) : nil
  }

  /// Takes a pebble from the ordered queue. The method is not inlined, to keep `take()` short for
  /// ponds without an ordered queue.
  @inline(never)
  private func takeInOrder() -> Int? {
    guard let pebble = ordered?.take() else { return nil }
    takenInOrder.pointee.add(1, ordering: .relaxed)
    return pebble
  }
}
