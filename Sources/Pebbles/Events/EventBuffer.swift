/// A buffer of the newest events of a run. Each event is stored only once for all observers,
/// together with the number of observers that take it next.
///
/// Events are numbered from 0. An observer has a cursor, the number of the event that it takes
/// next. Appending an event does not touch any observer. Observers that have taken all events are
/// counted in `readersAtEnd`, and the next entry takes over this count.
///
/// ```
/// number      3   4   5   6   7          entries 3 … 7, those before are gone
/// readers     1   0   0   2   0          one observer takes 3 next, two take 6 next
///                                 4      four have taken all: they are counted at the end
/// ```
///
/// An entry is removed as soon as every observer has taken it and the history no longer needs it.
/// The first entry is also removed when the number of entries exceeds both the history and the
/// largest capacity of any observer. An observer whose cursor points before the first entry has
/// fallen behind. Until its next read, it is counted at the first entry.
struct EventBuffer: Sendable {
  /// The position of one observer in the sequence of events.
  struct Cursor: Sendable {
    /// The maximum number of events that may wait for the observer.
    let capacity: Int

    fileprivate(set) var next: Int

    /// The number of events that were dropped before the observer began to listen; 0 once the
    /// observer has received a marker in their place.
    fileprivate var missedCount = 0

    /// The number of the first event that the observer no longer receives; `nil` until
    /// `finish(_:)` ends the observer.
    fileprivate(set) var end: Int?

    /// The time of the last event before `end`.
    fileprivate var timeAtEnd = Duration.zero
  }

  private struct Entry: Sendable {
    let event: RunEvent
    /// The number of observers that take this event next.
    var readers: Int
  }

  /// The maximum number of events that are kept for later observers.
  let history: Int

  private var entries = Ring<Entry>()

  /// The number of the first entry.
  private var front = 0

  private var readersAtEnd = 0
  private var lastGone = Duration.zero

  /// The number of observers with each capacity.
  private var capacities: [Int: Int] = [:]

  /// The maximum number of events in the buffer: the largest capacity of any observer, but at least
  /// the number of events that the history keeps.
  private var capacity: Int

  init(history: Int) {
    self.history = max(0, history)
    capacity = self.history
  }

  /// The number that the next appended event will have.
  private var end: Int { front + entries.count }

  /// The number of entries.
  var count: Int { entries.count }

  /// Adds an event.
  ///
  /// - Returns: The older events that were removed to make room.
  /// - Complexity: O(1), amortized, regardless of the number of observers.
  mutating func append(_ event: RunEvent) -> [RunEvent] {
    entries.append(Entry(event: event, readers: readersAtEnd))
    readersAtEnd = 0
    return trim()
  }

  /// Creates a cursor for a new observer, which receives the history first.
  ///
  /// - Complexity: O(1).
  mutating func makeCursor(capacity: Int) -> Cursor {
    let capacity = max(1, capacity, history)
    capacities[capacity, default: 0] += 1
    self.capacity = max(self.capacity, capacity)
    let first = history > 0 ? max(front, end - history) : end
    var cursor = Cursor(capacity: capacity, next: first)
    if history > 0 { cursor.missedCount = first }
    countReaders(at: first, 1)
    return cursor
  }

  /// Takes the next event for an observer. An observer that has fallen behind first gets a marker
  /// in place of the dropped events.
  ///
  /// - Returns: The next event, or `nil` if the observer has taken all events. Also returns the
  ///   removed events, which the caller must release.
  /// - Complexity: O(1), amortized.
  mutating func take(_ cursor: inout Cursor) -> (event: RunEvent?, gone: [RunEvent]) {
    let end = min(end, cursor.end ?? .max)
    // `end - capacity` alone may be less than every event number.
    let first = max(cursor.next, min(end, max(front, end - min(cursor.capacity, end))))
    let dropped = cursor.missedCount + first - cursor.next
    if dropped > 0 {
      cursor.missedCount = 0
      // Later events, which the observer does not get, may have pushed out its last one.
      let last = first == cursor.end ? cursor.timeAtEnd : time(before: first)
      return (RunEvent(time: last, .dropped(dropped)), move(&cursor, to: first))
    }
    guard cursor.next < end else { return (nil, []) }
    let event = entries[cursor.next - front].event
    return (event, move(&cursor, to: cursor.next + 1))
  }

  /// Ends an observer. The observer receives no later events. It can still take the events that are
  /// in the buffer now, unless they are dropped first.
  func finish(_ cursor: inout Cursor) {
    guard cursor.end == nil else { return }
    cursor.end = end
    cursor.timeAtEnd = time(before: end)
  }

  /// Returns whether an observer has been ended and has taken its last event.
  func isAtEnd(_ cursor: Cursor) -> Bool { cursor.end.map { cursor.next >= $0 } ?? false }

  /// Removes an observer.
  ///
  /// - Returns: The events to release.
  mutating func remove(_ cursor: Cursor) -> [RunEvent] {
    countReaders(at: cursor.next, -1)
    let others = capacities[cursor.capacity, default: 1] - 1
    capacities[cursor.capacity] = others == 0 ? nil : others
    if others == 0 { capacity = max(history, capacities.keys.max() ?? 0) }
    return trim()
  }

  private mutating func move(_ cursor: inout Cursor, to next: Int) -> [RunEvent] {
    countReaders(at: cursor.next, -1)
    cursor.next = next
    countReaders(at: next, 1)
    return trim()
  }

  private mutating func countReaders(at number: Int, _ change: Int) {
    let number = max(number, front)
    if number == end {
      readersAtEnd += change
    } else {
      entries[number - front].readers += change
    }
  }

  private func time(before number: Int) -> Duration {
    number > front ? entries[number - 1 - front].event.time : lastGone
  }

  private mutating func trim() -> [RunEvent] {
    var gone: [RunEvent] = []
    while let first = entries.first,
      entries.count > capacity || (entries.count > history && first.readers == 0)
    {
      entries.removeFirst()
      front += 1
      if first.readers > 0 { countReaders(at: front, first.readers) }
      lastGone = first.event.time
      gone.append(first.event)
    }
    return gone
  }
}
