public import Pebbles

extension Pond {
  /// What looks like a mistake in the definition, found without running anything.
  ///
  /// ```swift
  /// print(pond.lint())
  /// ```
  ///
  /// A warning is about a mistake: it can be left standing in a build that fails on warnings. What
  /// may just as well be meant is a note, or is looked for only on request, as
  /// `pond.lint(also: [.unhandledFailure])` does.
  ///
  /// A pond that is defined wrongly is not an error here: each of its faults is a finding of
  /// severity ``Finding/Severity/error``, and then nothing else is looked for.
  ///
  /// - Parameters:
  ///   - asked: Kinds of ``Finding/Kind/onRequest`` that are wanted, too.
  ///   - ignored: Kinds of findings that are not wanted.
  /// - Returns: The findings; see ``PondModel/lint(also:ignoring:)`` for what is looked for.
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
          advice: "mend this first: the pond cannot run, and nothing else was looked for")
      }
      return Findings(
        pondName: name, findings.filter { !ignored.contains($0.kind) })
    }
  }

  private static let longestFault = 500
}

extension PondModel {
  /// What looks like a mistake in the definition.
  ///
  /// What is said about conditions holds in *all* scenarios, that is for every way in which bodies
  /// may end, and with every choice of pebbles that may be disabled: conditions that can never be
  /// true or always are, parts of them that change nothing or are never true, pebbles that always
  /// stall. It is exact, not a guess, whatever the pebbles in between do. If it would take too much
  /// work to be sure, a finding ``Finding/Kind/notDecided`` says so.
  ///
  /// One cause is one finding: a pebble that never runs because another one does not is only named
  /// with that one, as a follower.
  ///
  /// - Parameters:
  ///   - asked: Kinds of ``Finding/Kind/onRequest`` that are wanted, too.
  ///   - ignored: Kinds of findings that are not wanted.
  /// - Returns: The findings, the most severe first, then in definition order.
  /// - Complexity: O(pebbles + atoms) for most ponds; the work of the questions that need a proof
  ///   is bounded.
  public func lint(
    also asked: Set<Finding.Kind> = [], ignoring ignored: Set<Finding.Kind> = []
  ) -> Findings {
    var lint = Lint(self)
    lint.run(also: asked)
    return Findings(
      pondName: name, lint.sortedFindings.filter { !ignored.contains($0.kind) })
  }
}
