/// The newest events of a run, once for all observers, and where in them each observer stands.
///
/// Events are numbered from 0. An observer has a cursor, the number of the event that it takes
/// next. Nothing is done to observers when an event is appended: those that had taken all before it
/// are counted at the end of it, and the new entry takes over the count.
///
/// ```
/// number      3   4   5   6   7          entries 3 … 7, those before are gone
/// readers     1   0   0   2   0          one observer takes 3 next, two take 6 next
///                                 4      four have taken all: they are counted at the end
/// ```
///
/// An entry goes as soon as every observer has taken it and the history does not need it, and the
/// first of all when there are more than the largest capacity of an observer or the history. One
/// whose cursor points before the first entry has fallen behind, and finds that out itself; it is
/// counted at the first.
struct EventBuffer: Sendable {
  /// How far one observer has come.
  struct Cursor: Sendable {
    /// How many events may wait for it.
    let capacity: Int

    fileprivate(set) var next: Int

    /// How many events before the first it could take count as dropped, until that is told.
    fileprivate var missedCount = 0

    /// The number of the first event that it does not get, once its end is known.
    fileprivate(set) var end: Int?
  }

  private struct Entry: Sendable {
    let event: RunEvent
    /// How many observers take it next.
    var readers: Int
  }

  /// How many events are kept for observers yet to come.
  let history: Int

  private var entries = Ring<Entry>()

  /// The number of the first entry.
  private var front = 0

  private var readersAtEnd = 0
  private var lastGone = Duration.zero

  /// How many observers there are of each capacity.
  private var capacities: [Int: Int] = [:]

  /// The largest of these, or what the history takes.
  private var capacity: Int

  init(history: Int) {
    self.history = max(0, history)
    capacity = self.history
  }

  /// The number of the event that comes next.
  private var end: Int { front + entries.count }

  /// How many events are kept.
  var count: Int { entries.count }

  /// Adds an event.
  ///
  /// - Returns: Those that made room.
  /// - Complexity: O(1), amortized, however many observers there are.
  mutating func append(_ event: RunEvent) -> [RunEvent] {
    entries.append(Entry(event: event, readers: readersAtEnd))
    readersAtEnd = 0
    return trim()
  }

  /// A new observer, who is handed the history.
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

  /// An observer takes the next event, or first, if it has fallen behind, the marker in the place
  /// of those dropped.
  ///
  /// - Returns: `nil` if it has taken all there are, and what nothing keeps any longer.
  /// - Complexity: O(1), amortized.
  mutating func take(_ cursor: inout Cursor) -> (event: RunEvent?, gone: [RunEvent]) {
    let end = min(end, cursor.end ?? .max)
    // Not `end - capacity` alone, which may be before all numbers.
    let first = max(cursor.next, min(end, max(front, end - min(cursor.capacity, end))))
    let dropped = cursor.missedCount + first - cursor.next
    if dropped > 0 {
      cursor.missedCount = 0
      let last = time(before: first)
      return (RunEvent(time: last, .dropped(dropped)), move(&cursor, to: first))
    }
    guard cursor.next < end else { return (nil, []) }
    let event = entries[cursor.next - front].event
    return (event, move(&cursor, to: cursor.next + 1))
  }

  /// An observer gets nothing more than there is now.
  func finish(_ cursor: inout Cursor) {
    cursor.end = min(cursor.end ?? end, end)
  }

  /// Whether an observer has taken all that it will ever get.
  func isAtEnd(_ cursor: Cursor) -> Bool { cursor.end.map { cursor.next >= $0 } ?? false }

  /// An observer is gone.
  ///
  /// - Returns: What nothing keeps any longer.
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
