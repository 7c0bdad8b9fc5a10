public import Pebbles

extension Pond {
  /// Returns likely mistakes in the definition, found without running anything.
  ///
  /// ```swift
  /// print(pond.lint())
  /// ```
  ///
  /// Warnings indicate likely mistakes, so it is reasonable to let a build fail on them. A finding
  /// about something that may be intentional is a note, or is reported only on request, as in
  /// `pond.lint(also: [.unhandledFailure])`.
  ///
  /// This function does not throw if the pond is defined incorrectly. Instead, each fault is
  /// reported as a finding of severity ``Finding/Severity/error``, and there are no other findings.
  ///
  /// - Parameters:
  ///   - asked: The kinds to report in addition to the usual ones. The only such kind is
  ///     ``Finding/Kind/unhandledFailure``.
  ///   - ignored: The kinds of findings to leave out.
  /// - Returns: The findings; see ``PondModel/lint(also:ignoring:)`` for the rules.
  /// - Complexity: See ``PondModel/lint(also:ignoring:)``.
  public func lint(
    also asked: Set<Finding.Kind> = [], ignoring ignored: Set<Finding.Kind> = []
  ) -> Findings {
    do throws(PondError) {
      return try model().lint(also: asked, ignoring: ignored)
    } catch {
      let findings = error.faults.map { fault in
        let sentence = fault.description.singleLine.truncated(to: Self.longestFault)
        return Finding(
          .definition, .error, pebbles: fault.pebble.map { [$0] } ?? [], sentence,
          advice: "fix this first: the pond cannot run, and nothing else was checked")
      }
      return Findings(
        pondName: name, findings.filter { !ignored.contains($0.kind) })
    }
  }

  private static let longestFault = 500
}

extension PondModel {
  /// Returns likely mistakes in the definition of the pond.
  ///
  /// Words such as *never* and *always* refer to all scenarios, however bodies end and whichever
  /// optional pebbles are disabled. The rules find conditions that are never or always true, parts
  /// of conditions that change nothing or are never true, and pebbles that always stall. The
  /// answers are exact, even if conditions depend on each other in complicated ways. If an exact
  /// answer would take too much work, a finding of kind ``Finding/Kind/notDecided`` says so.
  ///
  /// Each root cause is reported only once. If a pebble never runs because another pebble never
  /// runs, it has no finding of its own, but is listed in the finding about the other pebble.
  ///
  /// - Parameters:
  ///   - asked: The kinds to report in addition to the usual ones. The only such kind is
  ///     ``Finding/Kind/unhandledFailure``.
  ///   - ignored: The kinds of findings to leave out.
  /// - Returns: The findings, in order of decreasing severity. Findings of equal severity are in
  ///   definition order.
  /// - Complexity: O(pebbles + atoms) for most ponds. If a question needs a proof, the search for
  ///   that proof is limited.
  public func lint(
    also asked: Set<Finding.Kind> = [], ignoring ignored: Set<Finding.Kind> = []
  ) -> Findings {
    var lint = Lint(self)
    lint.run(also: asked)
    return Findings(
      pondName: name, lint.sortedFindings.filter { !ignored.contains($0.kind) })
  }
}
