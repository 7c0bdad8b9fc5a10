/// The last wait of each pebble in a run, as flat arrays. Following the waits from pebble to pebble
/// gives the longest chain to any pebble.
package struct LastWaits: Sendable {
  /// The position of the pebble that each pebble waited for last; -1 if the pebble could start when
  /// the run did.
  package let awaited: [Int]

  /// The kind of the last wait of each pebble.
  package let kinds: [CriticalWait]

  /// The position of the pebble whose body ended last; `nil` if no body ran.
  package let last: Int?
}

extension RecordedRun {
  /// Returns the last wait of each pebble.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  package func lastWaits() throws(RecordingError) -> LastWaits {
    let table = TimingTable(try Replay(self), mainActor: [])
    let waits = pebbles.indices.map(table.wait)
    return LastWaits(
      awaited: waits.map { $0?.pebble ?? -1 }, kinds: waits.map { CriticalWait($0?.kind) },
      last: table.lastBody)
  }
}
