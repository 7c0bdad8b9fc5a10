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

/// A kind of reason for which a pebble is skipped.
public struct SkipCause: Sendable, Hashable {
  private enum Kind {
    case conditionFalse, stalled, predicateNeverHeld, cancelled, disabled
  }

  private let kind: Kind

  /// As a clause about the pebble.
  let clause: String

  /// Its condition became false, or was so from the start.
  public static let conditionFalse = SkipCause(
    kind: .conditionFalse, clause: "its condition is false")

  /// It waited, perhaps through others, for itself.
  public static let stalled = SkipCause(kind: .stalled, clause: "it waits for itself")

  /// Only a predicate could still have let it start, and none held.
  public static let predicateNeverHeld = SkipCause(
    kind: .predicateNeverHeld, clause: "no predicate held")

  /// The run was cancelled before it could start.
  public static let cancelled = SkipCause(kind: .cancelled, clause: "the run was cancelled")

  /// It was disabled for the run.
  public static let disabled = SkipCause(kind: .disabled, clause: "it was disabled")

  func includes(_ reason: SkipReason) -> Bool {
    switch reason.kind {
    case .conditionFalse: kind == .conditionFalse
    case .stalled: kind == .stalled
    case .predicateNeverHeld: kind == .predicateNeverHeld
    case .cancelled: kind == .cancelled
    case .disabled: kind == .disabled
    case .notInRun: false
    }
  }
}
