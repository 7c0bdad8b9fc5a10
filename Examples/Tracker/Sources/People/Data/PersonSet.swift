/// A set of people, stored as one bit for each person.
public struct PersonSet: Sendable, Hashable {
  /// The number of all people, whether or not they are in the set.
  public let capacity: Int

  /// The bits for all people, in 64-bit words. The lowest bit of a word represents the first of its
  /// 64 people. Bits beyond the last person are 0.
  private var words: [UInt64]

  /// Creates a set of everybody.
  public init(everybodyOf capacity: Int) {
    self.capacity = capacity
    words = Array(repeating: .max, count: (capacity + 63) / 64)
    if let last = words.indices.last, capacity % 64 > 0 { words[last] >>= 64 - capacity % 64 }
  }

  /// Creates a set of the people who satisfy a predicate.
  ///
  /// - Parameters:
  ///   - capacity: The number of all people.
  ///   - holds: A closure that returns whether a person is in the set.
  /// - Throws: `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*), where *n* is the number of people.
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

  /// The number of people between two cancellation checks.
  static let peopleBetweenChecks = 1 << 15

  /// The number of people in the set.
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Returns whether a person is in the set.
  public func contains(_ person: Int) -> Bool {
    words[person / 64] >> UInt64(person % 64) & 1 == 1
  }

  /// Removes the people who are not in another set.
  mutating func formIntersection(_ other: PersonSet) {
    precondition(other.capacity == capacity, "the sets are of different people")
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// Returns the numbers of the people in the set, in the order of the given list of all people.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
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
