import Pebbles
import PebblesAnalysis

/// For conditions in tests: `#expect(report.ran(refresh))`, `XCTAssert(report.ran(refresh))`. Swift
/// Testing prints the report when that fails. To have the reasons printed as well, with either
/// framework, there are ``expectRan(_:fileID:line:)`` and its siblings.
///
/// Of a pebble that the run did not have, none of these is true; so of one that should not have
/// run, ask whether it was ``skipped(_:)``.
extension Report {
  /// Whether the pebble ran to an end, well or badly.
  ///
  /// - Complexity: O(1); for a pebble given by name, O(pebbles).
  public func ran(_ pebble: some PebbleIdentifying) -> Bool {
    ended(pebble) { $0.isCompleted }
  }

  /// Whether the pebble succeeded.
  ///
  /// - Complexity: O(1); for a pebble given by name, O(pebbles).
  public func succeeded(_ pebble: some PebbleIdentifying) -> Bool {
    ended(pebble) { $0.isSucceeded }
  }

  /// Whether the pebble failed.
  ///
  /// - Complexity: O(1); for a pebble given by name, O(pebbles).
  public func failed(_ pebble: some PebbleIdentifying) -> Bool {
    ended(pebble) { $0.isFailed }
  }

  /// Whether the pebble was skipped.
  ///
  /// - Complexity: O(1); for a pebble given by name, O(pebbles).
  public func skipped(_ pebble: some PebbleIdentifying) -> Bool {
    ended(pebble) { $0.isSkipped }
  }

  private func ended(_ pebble: some PebbleIdentifying, _ test: (Outcome) -> Bool) -> Bool {
    (try? position(of: pebble)).map { test(records[$0].outcome) } ?? false
  }
}
