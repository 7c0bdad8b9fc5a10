import Pebbles
import PebblesTestSupport
import PebblesTesting

/// A pond of a few pebbles, whose conditions have one of a few shapes. Each body suspends once.
struct SmallPond: Hashable, CustomStringConvertible {
  /// The condition of a pebble. Other pebbles are represented by their positions.
  enum Shape: Hashable, Comparable, CustomStringConvertible {
    case always
    case succeeded(Int)
    case failed(Int)
    case skipped(Int)
    case eitherSucceeded(Int, Int)
    case bothCompleted(Int, Int)

    /// Returns all shapes that are possible for one of `count` pebbles.
    static func all(for pebble: Int, of count: Int) -> [Shape] {
      let others = (0..<count).filter { $0 != pebble }
      let pairs = others.flatMap { first in
        others.filter { first < $0 }.map { (first, $0) }
      }
      return [.always] + others.flatMap { [.succeeded($0), .failed($0), .skipped($0)] }
        + pairs.flatMap { [.eitherSucceeded($0, $1), .bothCompleted($0, $1)] }
    }

    /// Returns the shape after each pebble has moved to a new position.
    func moved(_ place: (Int) -> Int) -> Shape {
      func ordered(_ first: Int, _ second: Int) -> (Int, Int) {
        (min(place(first), place(second)), max(place(first), place(second)))
      }
      switch self {
      case .always: return .always
      case .succeeded(let other): return .succeeded(place(other))
      case .failed(let other): return .failed(place(other))
      case .skipped(let other): return .skipped(place(other))
      case .eitherSucceeded(let first, let second):
        let (first, second) = ordered(first, second)
        return .eitherSucceeded(first, second)
      case .bothCompleted(let first, let second):
        let (first, second) = ordered(first, second)
        return .bothCompleted(first, second)
      }
    }

    func condition(_ pebbles: [Pebble<Void>]) -> Condition {
      switch self {
      case .always: .always
      case .succeeded(let other): pebbles[other].succeeded
      case .failed(let other): pebbles[other].failed
      case .skipped(let other): pebbles[other].skipped
      case .eitherSucceeded(let first, let second):
        pebbles[first].succeeded || pebbles[second].succeeded
      case .bothCompleted(let first, let second):
        pebbles[first].completed && pebbles[second].completed
      }
    }

    var description: String {
      switch self {
      case .always: "always"
      case .succeeded(let other): "\(other)"
      case .failed(let other): "!\(other)"
      case .skipped(let other): "~\(other)"
      case .eitherSucceeded(let first, let second): "\(first)|\(second)"
      case .bothCompleted(let first, let second): "\(first)&\(second)"
      }
    }
  }

  let shapes: [Shape]

  /// Returns all ponds of the given number of pebbles. Of several ponds that differ only in the
  /// order of pebbles, only one is included.
  static func all(of count: Int) -> [SmallPond] {
    var ponds: [[Shape]] = [[]]
    for pebble in 0..<count {
      let shapes = Shape.all(for: pebble, of: count)
      ponds = ponds.flatMap { pond in shapes.map { pond + [$0] } }
    }
    let orders = permutations(of: count)
    return ponds.map(SmallPond.init).filter { pond in
      orders.allSatisfy { !pond.moved($0).precedes(pond) }
    }
  }

  /// Returns the pond with bodies that fail for the given pebbles.
  func pond(failing: Set<Int>) -> Pond {
    let pond = Pond("\(self)")
    let pebbles = shapes.indices.map { pebble in
      pond.pebble("\(pebble)") {
        await Task.yield()
        if failing.contains(pebble) { throw Breakdown() }
      }
    }
    for (pebble, shape) in zip(pebbles, shapes) { pebble.ready = shape.condition(pebbles) }
    return pond
  }

  var description: String { shapes.map(\.description).joined(separator: ", ") }

  private func moved(_ order: [Int]) -> SmallPond {
    var moved = shapes
    for (place, shape) in shapes.enumerated() { moved[order[place]] = shape.moved { order[$0] } }
    return SmallPond(shapes: moved)
  }

  private func precedes(_ other: SmallPond) -> Bool {
    shapes.lexicographicallyPrecedes(other.shapes)
  }
}
