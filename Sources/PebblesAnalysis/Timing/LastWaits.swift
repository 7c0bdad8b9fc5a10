/// What each pebble of a run waited for last, as flat arrays: the longest chain to any of them is
/// to follow it from pebble to pebble.
package struct LastWaits: Sendable {
  /// By pebble, the position of the one it waited for last; -1 if it could start with the run.
  package let awaited: [Int]

  /// By pebble, what it waited for.
  package let kinds: [CriticalWait]

  /// The last body to end; `nil` if none ran.
  package let last: Int?
}

extension RecordedRun {
  /// What each pebble waited for last.
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
