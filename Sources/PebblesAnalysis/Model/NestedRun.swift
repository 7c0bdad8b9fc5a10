/// A run of another pond inside of a pebble's body, as data.
public struct NestedRun: Sendable {
  /// The position of the pebble in definition order, from 0.
  public let pebble: Int

  /// The record of the run. Its times are offsets from the start of the nested run.
  public let run: RecordedRun

  package init(pebble: Int, run: RecordedRun) {
    self.pebble = pebble
    self.run = run
  }
}
