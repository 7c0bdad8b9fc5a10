/// A run of another pond by the body of a pebble, as data.
public struct NestedRun: Sendable {
  /// Where the pebble stands in definition order, from 0.
  public let pebble: Int

  /// What happened. Its times are offsets from its own start.
  public let run: RecordedRun

  package init(pebble: Int, run: RecordedRun) {
    self.pebble = pebble
    self.run = run
  }
}
