import Pebbles
import PebblesAnalysis

/// Expectations that say why they are not met:
///
/// ```swift
/// let report = try await pond.simulate(failing: [ping])
/// try report.expectRan(showOffline)
/// try report.expectSkipped(refresh, becauseOf: ping)
/// ```
///
/// ```
/// refresh was expected to be skipped because of ping, but succeeded
///   refresh succeeded
///   └─ because cache succeeded
///   expected at BootTests/OfflineTests.swift:12
/// ```
///
/// Pebbles may be given by name: `try report.expectRan(.named("cache/open"))`.
extension Report {
  /// Expects that the pebble ran to an end, well or badly.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - fileID: Where this is expected.
  ///   - line: Where this is expected.
  /// - Throws: ``ExpectationFailure`` if not, or if the run had no such pebble.
  public func expectRan(
    _ pebble: some PebbleIdentifying, fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    try expect(pebble, to: "run", fileID, line) { record, _ in record.outcome.isCompleted }
  }

  /// Expects that the pebble succeeded.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - fileID: Where this is expected.
  ///   - line: Where this is expected.
  /// - Throws: ``ExpectationFailure`` if not, or if the run had no such pebble.
  public func expectSucceeded(
    _ pebble: some PebbleIdentifying, fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    try expect(pebble, to: "succeed", fileID, line) { record, _ in record.outcome.isSucceeded }
  }

  /// Expects that the pebble failed.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - type: What kind of error it failed with.
  ///   - fileID: Where this is expected.
  ///   - line: Where this is expected.
  /// - Throws: ``ExpectationFailure`` if not, or if the run had no such pebble.
  public func expectFailed<Failure: Error>(
    _ pebble: some PebbleIdentifying, with type: Failure.Type = (any Error).self,
    fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    let what = type == (any Error).self ? "fail" : "fail with \(type)"
    try expect(pebble, to: what, fileID, line) { record, _ in record.outcome.error is Failure }
  }

  /// Expects that the pebble was skipped.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - cause: For what kind of reason; any will do if not given.
  ///   - fileID: Where this is expected.
  ///   - line: Where this is expected.
  /// - Throws: ``ExpectationFailure`` if not, or if the run had no such pebble.
  public func expectSkipped(
    _ pebble: some PebbleIdentifying, because cause: SkipCause? = nil,
    fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    let what = cause.map { "be skipped because \($0.clause)" } ?? "be skipped"
    try expect(pebble, to: what, fileID, line) { record, _ in
      record.outcome.skipReason.map { cause?.includes($0) ?? true } ?? false
    }
  }

  /// Expects that the pebble was skipped because of how another one ended.
  ///
  /// The other one is in the why-tree of the pebble: its end is a part of what made the condition
  /// false, directly or through others.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - culprit: The other pebble.
  ///   - fileID: Where this is expected.
  ///   - line: Where this is expected.
  /// - Throws: ``ExpectationFailure`` if not, or if the run had no such pebbles.
  public func expectSkipped(
    _ pebble: some PebbleIdentifying, becauseOf culprit: some PebbleIdentifying,
    fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    let other = try position(culprit, fileID, line)
    let what = "be skipped because of \(culprit.pebbleID.description.swiftName)"
    try expect(pebble, to: what, fileID, line) { record, position in
      record.outcome.isSkipped && isBehind(other, position)
    }
  }

  private func expect(
    _ pebble: some PebbleIdentifying, to what: String, _ fileID: String, _ line: Int,
    _ isMet: (PebbleRecord, Int) -> Bool
  ) throws(ExpectationFailure) {
    let position = try position(pebble, fileID, line)
    let record = records[position]
    if isMet(record, position) { return }
    throw ExpectationFailure(
      lines: [
        "\(record.name.swiftName) was expected to \(what), but \(record.outcome.event.past)"
      ] + reasons(for: position), fileID: fileID, line: line)
  }

  private func position(
    _ pebble: some PebbleIdentifying, _ fileID: String, _ line: Int
  ) throws(ExpectationFailure) -> Int {
    if let position = position(of: pebble) { return position }
    let error = storage.pond.graph.error(for: pebble)
    throw ExpectationFailure(lines: [error.description], fileID: fileID, line: line)
  }
}

extension Report {
  /// Whether a pebble has a part in how another one ended.
  func isBehind(_ pebble: Int, _ other: Int) -> Bool {
    // What decided its condition, what decided that of this one, and so on, up to one that failed:
    // that it could start is not why. Then all the rest that it takes for that to be so.
    let state = storage.state
    var cause = state.cause(of: other)
    while let last = cause, last != pebble {
      cause = state.status(of: last) == .failed ? nil : state.cause(of: last)
    }
    return cause != nil || why(other)?.nodes.dropFirst().contains { $0.position == pebble } == true
  }

  /// Why a pebble ended as it did, some lines.
  func reasons(for pebble: Int) -> [String] {
    guard let why = why(pebble) else { return [records[pebble].explanation] }
    return "\(why)".split(separator: "\n").map(String.init)
  }

  private func why(_ pebble: Int) -> Why? {
    (try? recorded().why(at: pebble)) ?? nil
  }
}
