extension Workload {
  /// Creates a workload. The same arguments always create the same workload. The size is ignored if
  /// the shape is `boot`.
  public init(_ shape: Shape, size: Int) {
    var generator = SeededGenerator(seed: 2006)
    switch shape {
    case .independent: self = .make(shape, size) { _ in [] }
    case .chain: self = .make(shape, size) { index in index == 0 ? [] : [index - 1] }
    case .tree: self = .make(shape, size) { index in index == 0 ? [] : [(index - 1) / 2] }
    case .layers: self = .layers(size, &generator)
    case .ladder: self = .make(shape, size, Self.ladderPredecessors)
    case .randomBoolean: self = .randomBoolean(size, &generator)
    case .boot: self = .boot(&generator)
    }
  }

  private static func make(
    _ shape: Shape, _ size: Int, _ predecessors: (Int) -> [Int]
  ) -> Workload {
    var builder = Builder()
    for index in 0..<size { builder.add(after: predecessors(index)) }
    return Workload(shape, builder)
  }

  private static func layers(_ size: Int, _ generator: inout SeededGenerator) -> Workload {
    let width = 100
    return make(.layers, size) { index in
      let start = index / width * width
      return start == 0 ? [] : generator.distinct(3, from: (start - width)..<start)
    }
  }

  /// Returns the predecessors of a pebble in a ladder. The ladder consists of groups of three
  /// pebbles: a join, whose index is a multiple of three, and the two pebbles that wait for it.
  private static func ladderPredecessors(of index: Int) -> [Int] {
    switch index % 3 {
    case 0: index == 0 ? [] : [index - 2, index - 1]
    case 1: [index - 1]
    default: [index - 2]
    }
  }

  private static func randomBoolean(_ size: Int, _ generator: inout SeededGenerator) -> Workload {
    // Mostly successes, as in real programs. With these weights, about two thirds of the pebbles
    // run.
    let outcomes: [Awaited] =
      [.succeeded, .succeeded, .succeeded, .succeeded, .succeeded, .completed, .completed]
      + [.settled, .settled, .settled, .failed, .skipped]
    var builder = Builder()
    for index in 0..<size {
      guard index >= 4 else {
        builder.add()
        continue
      }
      let awaited = (0..<4).map { _ in
        outcomes[Int.random(in: outcomes.indices, using: &generator)]
      }
      builder.add(after: generator.distinct(4, from: 0..<index), awaiting: awaited)
    }
    let fails = (0..<size).map { _ in Int.random(in: 0..<10, using: &generator) == 0 }
    return Workload(.randomBoolean, builder, fails: fails)
  }

  /// Creates a workload of the shape `boot`. The first pebble enables 30 chains of five pebbles
  /// that sleep. The chains are followed by 48 joins, which do not sleep. Each join waits for two
  /// or three pebbles: earlier joins, or the last pebbles of chains. The last pebble of the
  /// workload waits for all joins.
  private static func boot(_ generator: inout SeededGenerator) -> Workload {
    var builder = Builder()
    builder.add(after: [], sleeping: .zero)
    var ends: [Int] = []
    for _ in 0..<30 {
      var previous = 0
      for _ in 0..<5 {
        let duration = Duration.microseconds(Int.random(in: 1_000...20_000, using: &generator))
        builder.add(after: [previous], sleeping: duration)
        previous = builder.count - 1
      }
      ends.append(previous)
    }
    let firstJoin = builder.count
    for _ in 0..<48 {
      let count = Int.random(in: 2...3, using: &generator)
      let chosen = generator.distinct(count, from: ends.indices).map { ends[$0] }
      builder.add(after: chosen, sleeping: .zero)
      ends.append(builder.count - 1)
    }
    builder.add(after: Array(firstJoin..<builder.count), sleeping: .zero)
    return Workload(.boot, builder)
  }
}
