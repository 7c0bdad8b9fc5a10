import Pebbles

/// All endings of a pond, one after the other, each once; the first is the one in which every body
/// succeeds.
///
/// They are found by rehearsing the pond again and again, each time with one of the last decisions
/// the other way round. So the next one takes O(pebbles + atoms), and no memory is needed for those
/// before; but there may be more than anybody can wait for: take the first few, or look at
/// ``Scenarios/count`` before.
public struct Endings: Sequence, Sendable {
  /// The logic of the pond.
  public let model: PondModel

  /// Starts with the ending in which every body succeeds.
  public func makeIterator() -> Iterator { Iterator(model: model) }

  /// Makes one ending after the other.
  public struct Iterator: IteratorProtocol, Sendable {
    private let model: PondModel

    /// The decisions that the next rehearsal starts with; `nil` when all are done. What it decides
    /// beyond them is true.
    private var decisions: [Bool]? = []

    init(model: PondModel) {
      self.model = model
    }

    /// The next ending; `nil` if there is none left.
    public mutating func next() -> Ending? {
      guard var decisions else { return nil }
      var count = 0
      let ending = Rehearsal.ending(of: model) { _ in
        if count == decisions.count { decisions.append(true) }
        count += 1
        return decisions[count - 1]
      }
      while decisions.last == false { decisions.removeLast() }
      let hasMore = decisions.popLast() != nil
      self.decisions = hasMore ? decisions + [false] : nil
      return ending
    }
  }
}
