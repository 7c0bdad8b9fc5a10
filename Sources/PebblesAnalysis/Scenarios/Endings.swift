/// A sequence of all endings of a pond, without duplicates. In the first ending, every body that is
/// called succeeds.
///
/// If a failure cancels the run, the ending assumes that this happens as late as possible, when all
/// bodies that can end before the next stall have ended. See ``Ending/isCancelled``.
///
/// The endings are found by simulating the pond repeatedly. The usual decision about a body is that
/// it succeeds. Each simulation repeats the decisions of the previous simulation up to the last
/// usual decision, reverses that decision, and makes new decisions from there. Finding the next
/// ending therefore takes O(pebbles + atoms), and earlier endings are not kept in memory. However,
/// there may be too many endings to iterate over, so take only the first few, or check
/// ``Scenarios/count`` first.
public struct Endings: Sequence, Sendable {
  let model: PondModel

  /// Returns an iterator over the endings, beginning with the ending where every body succeeds.
  public func makeIterator() -> Iterator { Iterator(model: model) }

  /// An iterator over the endings of a pond.
  public struct Iterator: IteratorProtocol, Sendable {
    private let model: PondModel

    /// The decisions with which the next simulation begins; `nil` once all endings have been
    /// returned. An element is `true` if the decision is the usual one. All later decisions of the
    /// simulation are usual.
    private var decisions: [Bool]? = []

    init(model: PondModel) {
      self.model = model
    }

    /// Returns the next ending; `nil` once all endings have been returned.
    public mutating func next() -> Ending? {
      guard var decisions else { return nil }
      var count = 0
      let ending = ScenarioSimulation.ending(of: model) { variable in
        if count == decisions.count { decisions.append(true) }
        count += 1
        return decisions[count - 1] == variable.usual
      }
      while decisions.last == false { decisions.removeLast() }
      let hasMore = decisions.popLast() != nil
      self.decisions = hasMore ? decisions + [false] : nil
      return ending
    }
  }
}
