public import Pebbles
public import PebblesAnalysis

extension Pond {
  /// Simulates a run and expects the given pebbles, and no others, to run.
  ///
  /// ```swift
  /// try await pond.expectRun(succeeding: [launches, showOffline], failing: [ping])
  /// ```
  ///
  /// The pebbles in `failing` fail if they run; all other pebbles that run succeed. See
  /// ``simulate(failing:flaky:taking:disabling:only:given:within:)``. The pebbles in `succeeding`
  /// and `failing` are expected to run, and all others to be skipped. A pebble with a given value
  /// has no body to run, so it need not be listed. The error lists every pebble that ended
  /// differently, and gives the reasons for the first 20 of them.
  ///
  /// - Parameters:
  ///   - succeeding: The pebbles expected to run and succeed.
  ///   - failing: The pebbles expected to run and fail.
  ///   - taking: The duration of each attempt, keyed by pebble; zero for a pebble that is not
  ///     listed.
  ///   - disabling: The pebbles to disable.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - assumptions: Further assumptions, for example about the cases that hold.
  ///   - limit: The time limit of the run, from its start; `nil` for no limit.
  ///   - fileID: The file of the expectation.
  ///   - line: The line of the expectation.
  /// - Returns: The report of the simulated run.
  /// - Throws: ``ExpectationFailure`` if any pebble does not end as expected, if a pebble in
  ///   `succeeding` is not in this pond, or if a pebble is expected both to succeed and to fail;
  ///   also the errors thrown by
  ///   ``simulate(failing:flaky:taking:disabling:only:given:within:)``.
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
    let given = Set(report.storage.pond.givenPebbles)
    for (position, record) in report.records.enumerated() {
      let end: ExpectedEnd? = expected[position] ?? (given.contains(position) ? nil : .skipped)
      guard let complaint = end?.complaint(about: record.outcome) else { continue }
      lines.append("\(record.name.swiftName) \(complaint)")
      complaints += 1
      // Each explanation takes time in proportion to the size of the pond, and nobody reads them
      // all.
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
  /// The maximum number of pebbles that a failed expectation explains.
  private static var mostReasons: Int { 20 }
}

private enum ExpectedEnd {
  case succeeded, failed, skipped

  /// Returns a clause that states how a pebble's end differs from the expected one; `nil` if there
  /// is no difference. The clause is worded to follow the name of the pebble:
  /// `"should have succeeded, but failed"`.
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
