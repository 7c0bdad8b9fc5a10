import Pebbles

extension RecordedRun {
  /// Why a pebble ended as it did.
  ///
  /// - Parameter position: Where the pebble stands in definition order, from 0.
  /// - Returns: The pebbles behind it; `nil` if the run had none at this position.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func why(at position: Int) throws(RecordingError) -> Why? {
    guard pebbles.indices.contains(position) else { return nil }
    var builder = WhyBuilder(try Replay(self), subject: position)
    return builder.why()
  }

  /// Why the pebble of a name ended as it did.
  ///
  /// - Parameter name: The name of the pebble.
  /// - Returns: The pebbles behind it; `nil` if the run had none of this name.
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func why(_ name: String) throws(RecordingError) -> Why? {
    guard let position = pebbles.firstIndex(where: { $0.name == name }) else { return nil }
    return try why(at: position)
  }
}

extension Report {
  /// Why a pebble ended as it did: the pebbles that really decided that, as a tree and as a
  /// sentence.
  ///
  /// ```swift
  /// print(report.why(refresh))
  /// print(report.why(refresh).sentence)
  /// ```
  ///
  /// - Parameter pebble: A pebble; if it was not in the run, that is said.
  /// - Returns: The pebbles behind it. Nothing but the sentence that the report has for it, should
  ///   the run not be understood: that takes predicates that held at times which do not fit to what
  ///   was decided.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func why<Output>(_ pebble: Pebble<Output>) -> Why {
    guard let record = record(of: pebble) else { return .notInRun(pebble.reference.name) }
    let run = recorded()
    do {
      return try run.why(at: record.position) ?? .notInRun(record.name)
    } catch {
      return Why(
        subject: record.name, at: record.position, run.pebbles[record.position].outcome,
        sentence: record.explanation)
    }
  }
}

extension Why {
  static func notInRun(_ name: String) -> Why {
    Why(
      subject: name, at: nil, .skipped(.notInRun),
      sentence: "\(name.shortName) was not in the run: it belongs to another pond, or was added "
        + "after the run had started")
  }

  /// Says nothing but how the pebble ended.
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
