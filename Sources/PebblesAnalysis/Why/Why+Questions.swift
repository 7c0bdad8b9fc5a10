import Pebbles

extension RecordedRun {
  /// Explains why the pebble at a position ended as it did.
  ///
  /// - Parameter position: The position of the pebble in definition order, from 0.
  /// - Returns: The explanation; `nil` if the run had no pebble at this position.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public func why(at position: Int) throws(RecordingError) -> Why? {
    pebbles.indices.contains(position) ? try why(of: position) : nil
  }

  /// Explains why a pebble ended as it did.
  ///
  /// - Parameter pebble: The pebble.
  /// - Returns: The explanation.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded, and
  ///   `UnknownPebbleError` if the pebble was not in the run.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, if nothing stalled.
  public func why(_ pebble: some PebbleIdentifying) throws -> Why {
    var positions = positions
    return try why(of: positions.position(of: pebble))
  }

  /// Explains why a pebble ended as it did. The explanation contains at most 100 pebbles, or 1,000
  /// if `showingAll` is `true`.
  package func why(
    of position: Int, showingAll: Bool = false
  ) throws(RecordingError) -> Why {
    var builder = WhyBuilder(
      try Replay(self), subject: position, in: showingAll ? .all : .usual)
    var why = builder.why()
    why.lateFailures = lateFailures[position] ?? []
    return why
  }
}

extension Report {
  /// Explains why a pebble ended as it did. The explanation shows the pebbles that decided its
  /// outcome, as a tree and as a sentence.
  ///
  /// ```swift
  /// print(report.why(refresh))
  /// print(report.why(refresh).sentence)
  /// ```
  ///
  /// - Parameter pebble: A pebble. If it was not in the run, the explanation says so.
  /// - Returns: The explanation. If the recording contradicts itself, the explanation consists only
  ///   of the report's sentence about the pebble.
  /// - Complexity: The same as for ``recorded(from:)``.
  public func why(_ pebble: some PebbleIdentifying) -> Why {
    guard let position = position(of: pebble) else {
      let error = storage.pond.graph.error(for: pebble)
      return Why(
        subject: error.name, at: nil, .skipped(.notInRun),
        sentence: "\(error.name.shortName) was not in the run: \(error)")
    }
    let run = recorded()
    do {
      return try run.why(of: position)
    } catch {
      return Why(
        subject: run.pebbles[position].name, at: position, run.pebbles[position].outcome,
        sentence: records[position].explanation)
    }
  }
}

extension PondModel {
  /// Explains the outcome that a pebble would have under the given assumptions.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - assumptions: The assumptions, such as bodies that fail; see ``Assumption``.
  /// - Returns: The explanation.
  /// - Throws: `UnknownPebbleError` if a pebble is not in this model, and ``AssumptionError`` for
  ///   impossible assumptions.
  /// - Complexity: The same as a run without bodies, O(pebbles + atoms + *n* log *n*) for *n*
  ///   pebbles, if nothing stalls.
  public func why(
    _ pebble: some PebbleIdentifying, given assumptions: [Assumption] = []
  ) throws -> Why {
    try why(pebble, given: assumptions, showingAll: false)
  }

  /// Explains the outcome that a pebble would have under the given assumptions. The explanation
  /// contains at most 100 pebbles, or 1,000 if `showingAll` is `true`.
  package func why(
    _ pebble: some PebbleIdentifying, given assumptions: [Assumption], showingAll: Bool
  ) throws -> Why {
    var positions = PebblePositions(pond.graph)
    let position = try positions.position(of: pebble)
    let replay = try assumed(assumptions)
    var builder = WhyBuilder(replay, subject: position, in: showingAll ? .all : .usual)
    var why = builder.why()
    why.limitations = replay.limitations
    return why
  }
}

extension Pond {
  /// Explains the outcome that a pebble would have under the given assumptions.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - assumptions: The assumptions, such as bodies that fail; see ``Assumption``.
  /// - Returns: The explanation.
  /// - Throws: `UnknownPebbleError` if a pebble is not in this pond, ``AssumptionError`` for
  ///   impossible assumptions, and `PondError` if the pond is defined incorrectly.
  /// - Complexity: The same as a run without bodies, O(pebbles + atoms + *n* log *n*) for *n*
  ///   pebbles, if nothing stalls.
  public func why(
    _ pebble: some PebbleIdentifying, given assumptions: [Assumption] = []
  ) throws -> Why {
    try model().why(pebble, given: assumptions)
  }
}

extension Why {
  /// Creates an explanation that states only how the pebble ended.
  fileprivate init(
    subject name: String, at position: Int?, _ outcome: RecordedOutcome, sentence: String
  ) {
    self.init(
      nodes: [
        WhyNode(
          position: position, name: name, outcome: outcome, depth: 0, role: .subject, label: nil)
      ], elidedPebbles: 0, sentence: sentence)
  }
}
