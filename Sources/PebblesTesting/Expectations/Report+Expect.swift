import Pebbles
import PebblesAnalysis

/// Expectations about a report. If an expectation is not met, it throws an error that gives the
/// reasons:
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
/// A pebble can also be identified by its name: `try report.expectRan(.named("cache/open"))`.
extension Report {
  /// Expects that the pebble ran to its end in this run, with success or failure. As in
  /// `Report.ran(_:)`, a pebble whose success was kept from an earlier run did not run.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - fileID: The file of the expectation.
  ///   - line: The line of the expectation.
  /// - Throws: ``ExpectationFailure`` if the pebble did not run, or if the run had no such pebble.
  public func expectRan(
    _ pebble: some PebbleIdentifying, fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    try expectMet(pebble, to: "run", fileID, line) { _, _ in
      ran(pebble)
    } butDid: {
      record(of: pebble)?.keptFrom.map { _ in "was kept from an earlier run" }
    }
  }

  /// Expects that the pebble succeeded.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - fileID: The file of the expectation.
  ///   - line: The line of the expectation.
  /// - Throws: ``ExpectationFailure`` if the pebble did not succeed, or if the run had no such
  ///   pebble.
  public func expectSucceeded(
    _ pebble: some PebbleIdentifying, fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    try expectMet(pebble, to: "succeed", fileID, line) { record, _ in record.outcome.isSucceeded }
  }

  /// Expects that the pebble succeeded with the given output.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - output: The expected output.
  ///   - fileID: The file of the expectation.
  ///   - line: The line of the expectation.
  /// - Throws: ``ExpectationFailure`` if the pebble did not succeed, or succeeded with another
  ///   output, or if the run had no such pebble.
  public func expectSucceeded<Output: Equatable>(
    _ pebble: Pebble<Output>, with output: Output, fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    func words(_ output: Output) -> String { "\(output)".truncated(to: 500).singleLine }
    try expectMet(pebble, to: "succeed with \(words(output))", fileID, line) { record, _ in
      record.outcome.isSucceeded && self[pebble] == output
    } butDid: {
      self[pebble].map { "succeeded with \(words($0))" }
    }
  }

  /// Expects that the pebble failed.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - type: The expected type of the error; by default, any error is accepted.
  ///   - fileID: The file of the expectation.
  ///   - line: The line of the expectation.
  /// - Throws: ``ExpectationFailure`` if the pebble did not fail with such an error, or if the run
  ///   had no such pebble.
  public func expectFailed<Failure: Error>(
    _ pebble: some PebbleIdentifying, with type: Failure.Type = (any Error).self,
    fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    let what = type == (any Error).self ? "fail" : "fail with \(type)"
    try expectMet(pebble, to: what, fileID, line) { record, _ in record.outcome.error is Failure }
  }

  /// Expects that the pebble was skipped.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - cause: The expected kind of reason; if `nil`, any reason is accepted.
  ///   - fileID: The file of the expectation.
  ///   - line: The line of the expectation.
  /// - Throws: ``ExpectationFailure`` if the pebble was not skipped for that reason, or if the run
  ///   had no such pebble.
  public func expectSkipped(
    _ pebble: some PebbleIdentifying, because cause: SkipCause? = nil,
    fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    let what = cause.map { "be skipped because \($0.clause)" } ?? "be skipped"
    try expectMet(pebble, to: what, fileID, line) { record, _ in
      record.outcome.isSkipped && cause?.includes(record) ?? true
    }
  }

  /// Expects that the pebble was skipped because of how another pebble ended.
  ///
  /// The expectation is met if the other pebble's end made the skipped pebble's condition false,
  /// directly or through other pebbles. The skipped pebble's why-tree then contains the other
  /// pebble, unless the tree is too large. The expectation is also met if the skipped pebble waited
  /// in vain for the other pebble; see `SkipReason.resourceHeld(by:)`.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - culprit: The pebble expected to be the reason.
  ///   - fileID: The file of the expectation.
  ///   - line: The line of the expectation.
  /// - Throws: ``ExpectationFailure`` if the pebble was not skipped because of `culprit`, or if
  ///   either pebble was not part of the run.
  public func expectSkipped(
    _ pebble: some PebbleIdentifying, becauseOf culprit: some PebbleIdentifying,
    fileID: String = #fileID, line: Int = #line
  ) throws(ExpectationFailure) {
    let other = try position(culprit, fileID, line)
    let what = "be skipped because of \(culprit.pebbleID.description.swiftName)"
    try expectMet(pebble, to: what, fileID, line) { record, position in
      record.outcome.isSkipped && isBehind(other, position)
    }
  }

  private func expectMet(
    _ pebble: some PebbleIdentifying, to what: String, _ fileID: String, _ line: Int,
    _ isMet: (PebbleRecord, Int) -> Bool, butDid: () -> String? = { nil }
  ) throws(ExpectationFailure) {
    let position = try position(pebble, fileID, line)
    let record = records[position]
    if isMet(record, position) { return }
    let end = butDid() ?? record.outcome.event.past
    throw ExpectationFailure(
      lines: [
        "\(record.name.swiftName) was expected to \(what), but \(end)"
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
  /// Returns whether `pebble` contributed to how `other` ended.
  func isBehind(_ pebble: Int, _ other: Int) -> Bool {
    // First follows the chain of deciding pebbles back from `other`. A failed pebble ends the
    // chain, because the pebble that let it start is no reason for its failure. Then searches the
    // rest of the why-tree.
    let state = storage.state
    var cause = state.cause(of: other)
    while let last = cause, last != pebble {
      cause = state.status(of: last) == .failed ? nil : state.cause(of: last)
    }
    return cause != nil || why(other)?.nodes.dropFirst().contains { $0.position == pebble } == true
  }

  /// Returns the lines that explain how a pebble ended.
  func reasons(for pebble: Int) -> [String] {
    guard let why = why(pebble) else { return [records[pebble].explanation] }
    return "\(why)".split(separator: "\n").map(String.init)
  }

  private func why(_ pebble: Int) -> Why? {
    (try? recorded().why(at: pebble)) ?? nil
  }
}
