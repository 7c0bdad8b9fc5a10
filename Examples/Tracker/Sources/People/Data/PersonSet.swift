/// Some of the people, a bit for each.
public struct PersonSet: Sendable, Hashable {
  /// The number of people there are, in the set or not.
  public let capacity: Int

  /// 64 people each, the first in the lowest bit. Bits beyond the last person are 0.
  private var words: [UInt64]

  /// Everybody.
  public init(everybodyOf capacity: Int) {
    self.capacity = capacity
    words = Array(repeating: .max, count: (capacity + 63) / 64)
    if let last = words.indices.last, capacity % 64 > 0 { words[last] >>= 64 - capacity % 64 }
  }

  /// Those of whom something holds.
  ///
  /// - Parameters:
  ///   - capacity: The number of people there are.
  ///   - holds: Whether it holds of a person.
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  /// - Complexity: O(*n*), with *n* people.
  @inline(__always)
  init(of capacity: Int, where holds: (Int) -> Bool) throws {
    self.capacity = capacity
    words = []
    words.reserveCapacity((capacity + 63) / 64)
    for first in stride(from: 0, to: capacity, by: 64) {
      if first % Self.peopleBetweenChecks == 0 { try Task.checkCancellation() }
      var word: UInt64 = 0
      for person in first..<min(first + 64, capacity) {
        word |= (holds(person) ? 1 : 0) << UInt64(person - first)
      }
      words.append(word)
    }
  }

  /// How many people are looked at between two looks at whether that is still wanted.
  static let peopleBetweenChecks = 1 << 15

  /// How many are in the set.
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Whether a person is in the set.
  public func contains(_ person: Int) -> Bool {
    words[person / 64] >> UInt64(person % 64) & 1 == 1
  }

  /// Keeps those who are in another set as well.
  mutating func formIntersection(_ other: PersonSet) {
    precondition(other.capacity == capacity, "the sets are of different people")
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// Everybody in the set, in an order of all people.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  func numbers(inOrder order: [UInt32]) throws -> [UInt32] {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(count)
    for (place, person) in order.enumerated() {
      if place % Self.peopleBetweenChecks == 0 { try Task.checkCancellation() }
      if contains(Int(person)) { numbers.append(person) }
    }
    return numbers
  }
}
