/// The people who satisfy a `Question`, in the order that the question specifies.
struct Listing: Sendable, Equatable {
  let numbers: [UInt32]

  var count: Int { numbers.count }
  var isEmpty: Bool { numbers.isEmpty }

  /// Returns the numbers of the people on a page.
  ///
  /// - Returns: The numbers; fewer than `count` at the end of the list.
  func page(from: Int, count: Int) throws(PeopleError) -> ArraySlice<UInt32> {
    guard from >= 0, (1...PeopleService.mostRows).contains(count) else {
      throw .badPage(from: from, count: count)
    }
    guard from < numbers.count else { throw .beyondEnd(from: from, total: numbers.count) }
    return numbers[from...].prefix(count)
  }
}

/// A random choice from a list.
public struct Choice: Sendable, Hashable {
  /// The seed of the choice. The same seed chooses the same person from the same list.
  public let seed: UInt32

  /// The zero-based index in the list.
  public let place: Int
}
