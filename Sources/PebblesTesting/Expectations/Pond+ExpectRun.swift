public import Pebbles
public import PebblesAnalysis

extension Pond {
  /// Simulates a run and expects that just these pebbles run.
  ///
  /// ```swift
  /// try await pond.expectRun(succeeding: [launches, showOffline], failing: [ping])
  /// ```
  ///
  /// The pebbles in `failing` fail, all others that run succeed, see
  /// ``simulate(failing:flaky:taking:disabling:only:given:within:)``. Expects that those in
  /// `succeeding` and
  /// `failing` run, and that all others are skipped. Names every pebble that appears and should
  /// not, or should and does not, and says of the first 20 of them why.
  ///
  /// - Parameters:
  ///   - succeeding: The pebbles that are to run and succeed.
  ///   - failing: The pebbles that are to run and fail.
  ///   - taking: How long each attempt takes; no time if not given.
  ///   - disabling: The pebbles that take no part.
  ///   - targets: What the run is of, and all that this needs; if `nil`, everything.
  ///   - assumptions: What else is assumed, such as which cases hold.
  ///   - limit: How long the run takes at the latest, from its start.
  ///   - fileID: Where this is expected.
  ///   - line: Where this is expected.
  /// - Returns: What happened.
  /// - Throws: ``ExpectationFailure`` if other pebbles run, and what
  ///   ``simulate(failing:flaky:taking:disabling:only:given:within:)`` throws.
  @discardableResult
  public func expectRun(
    succeeding: [any PebbleIdentifying] = [], failing: [any PebbleIdentifying] = [],
    taking: KeyValuePairs<any PebbleIdentifying, Duration> = [:],
    disabling: [any PebbleIdentifying] = [], only targets: [any PebbleIdentifying]? = nil,
    given assumptions: [Assumption] = [], within limit: Duration? = nil, fileID: String = #fileID,
    line: Int = #line
  ) async throws -> Report {
    let report = try await simulate(
      failing: failing, taking: taking, disabling: disabling, only: targets, given: assumptions,
      within: limit)
    var positions = PebblePositions(report.storage.pond.graph)
    var expected: [Int: ExpectedEnd] = [:]
    var lines: [String] = []
    var complaints = 0
    for (pebbles, end) in [(succeeding, ExpectedEnd.succeeded), (failing, .failed)] {
      for pebble in pebbles {
        do throws(UnknownPebbleError) {
          let position = try positions.position(of: pebble)
          if expected[position] ?? end != end {
            let name = pebble.pebbleID.description.swiftName
            lines.append("\(name) is expected both to succeed and to fail")
          }
          expected[position] = end
        } catch {
          lines.append(error.description)
        }
      }
    }
    for (position, record) in report.records.enumerated() {
      let end = expected[position] ?? .skipped
      guard let complaint = end.complaint(about: record.outcome) else { continue }
      lines.append("\(record.name.swiftName) \(complaint)")
      complaints += 1
      // Each takes time in proportion to the pond, and no reader reads on for ever.
      guard complaints <= Self.mostReasons else { continue }
      lines += report.reasons(for: position).map { "  \($0)" }
    }
    if lines.isEmpty { return report }
    throw ExpectationFailure(
      lines: ["the pond \(name.swiftLiteral) did not run as expected:"] + lines,
      fileID: fileID, line: line)
  }
}

extension Pond {
  /// For how many pebbles an expectation says why.
  private static var mostReasons: Int { 20 }
}

private enum ExpectedEnd {
  case succeeded, failed, skipped

  /// What is wrong with how a pebble ended, to stand after its name; `nil` if nothing is.
  func complaint(about outcome: Outcome) -> String? {
    switch (self, outcome) {
    case (.succeeded, .succeeded), (.failed, .failed), (.skipped, .skipped): nil
    case (.succeeded, .failed), (.succeeded, .skipped):
      "should have succeeded, but \(outcome.event.past)"
    case (.failed, .succeeded), (.failed, .skipped):
      "should have run and failed, but \(outcome.event.past)"
    case (.skipped, .succeeded), (.skipped, .failed):
      "should not have run, but \(outcome.event.past)"
    }
  }
}
