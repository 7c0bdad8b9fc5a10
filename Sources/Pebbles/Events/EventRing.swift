/// The newest events, and how many older ones had to make room for them.
///
/// A ring that grows up to its capacity, so that a large capacity costs nothing until it is used.
struct EventRing {
  /// How many events are kept at most: at least 1. May be raised at any time.
  private(set) var capacity: Int

  private var places: [RunEvent?] = []
  private var front = 0
  private var count = 0
  private var dropped = 0
  private var lastDropped = Duration.zero

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  mutating func raiseCapacity(to capacity: Int) {
    self.capacity = max(self.capacity, capacity)
  }

  /// Adds an event, at the cost of the oldest if the ring is full.
  ///
  /// - Returns: The event that made room.
  /// - Complexity: Amortized O(1).
  mutating func append(_ event: RunEvent) -> RunEvent? {
    guard count < capacity else { return replaceFirst(with: event) }
    if count == places.count { grow() }
    places[(front + count) % places.count] = event
    count += 1
    return nil
  }

  /// Takes the oldest event, or first, if older ones were dropped, the marker in their place.
  mutating func popFirst() -> RunEvent? {
    if dropped > 0 {
      defer { dropped = 0 }
      return RunEvent(time: lastDropped, .dropped(dropped))
    }
    guard count > 0 else { return nil }
    let event = places[front].take()
    front = (front + 1) % places.count
    count -= 1
    return event
  }

  private mutating func replaceFirst(with event: RunEvent) -> RunEvent? {
    let oldest = places[front]
    places[front] = event
    front = (front + 1) % places.count
    dropped += 1
    if let oldest { lastDropped = oldest.time }
    return oldest
  }

  private mutating func grow() {
    let added = min(max(8, places.count), capacity - places.count)
    places = Array(places[front...]) + places[..<front] + repeatElement(nil, count: added)
    front = 0
  }
}
