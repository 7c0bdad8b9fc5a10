import Pebbles

/// For conditions in tests: `#expect(report.ran(refresh))`, `XCTAssert(report.ran(refresh))`. Swift
/// Testing prints the report when that fails. To have the reasons printed as well, with either
/// framework, there are ``expectRan(_:fileID:line:)`` and its siblings.
///
/// Of a pebble that the run did not have, none of these is true.
extension Report {
  /// Whether the pebble ran to an end, well or badly.
  ///
  /// - Complexity: O(1).
  public func ran<Output>(_ pebble: Pebble<Output>) -> Bool {
    record(of: pebble)?.outcome.isCompleted ?? false
  }

  /// Whether the pebble succeeded.
  ///
  /// - Complexity: O(1).
  public func succeeded<Output>(_ pebble: Pebble<Output>) -> Bool {
    record(of: pebble)?.outcome.isSucceeded ?? false
  }

  /// Whether the pebble failed.
  ///
  /// - Complexity: O(1).
  public func failed<Output>(_ pebble: Pebble<Output>) -> Bool {
    record(of: pebble)?.outcome.isFailed ?? false
  }

  /// Whether the pebble was skipped.
  ///
  /// - Complexity: O(1).
  public func skipped<Output>(_ pebble: Pebble<Output>) -> Bool {
    record(of: pebble)?.outcome.isSkipped ?? false
  }
}
