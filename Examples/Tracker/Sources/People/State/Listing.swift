/// The people that match a question, in its order.
struct Listing: Sendable, Equatable {
  let numbers: [UInt32]

  var count: Int { numbers.count }
  var isEmpty: Bool { numbers.isEmpty }

  /// The numbers of those at some places.
  ///
  /// - Returns: Fewer than `count` where the list ends.
  func page(from: Int, count: Int) throws(PeopleError) -> ArraySlice<UInt32> {
    guard from >= 0, (1...PeopleService.mostRows).contains(count) else {
      throw .badPage(from: from, count: count)
    }
    guard from < numbers.count else { throw .beyondEnd(from: from, total: numbers.count) }
    return numbers[from...].prefix(count)
  }
}

/// One of a list, taken at random.
public struct Choice: Sendable, Hashable {
  /// What determined the choice: the same of the same list again.
  public let seed: UInt32

  /// The place in the list, from 0.
  public let place: Int
}
