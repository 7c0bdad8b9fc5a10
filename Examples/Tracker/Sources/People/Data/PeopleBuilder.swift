/// A builder that collects people in any order, and then numbers them.
struct PeopleBuilder {
  private var places: [String: UInt32] = [:]
  private var vocabulary: [String] = []
  private var drafts: [Draft] = []
  private var check = CancellationCheck()

  private struct Draft {
    let words: [UInt32]
    let bloodType: BloodType
    let shoeSize: ShoeSize
  }

  /// Adds a person.
  ///
  /// - Parameters:
  ///   - name: The words of the name.
  ///   - bloodType: The blood type.
  ///   - shoeSize: The shoe size.
  /// - Throws: `CancellationError` if the task is cancelled.
  mutating func add(name: [String], _ bloodType: BloodType, _ shoeSize: ShoeSize) throws {
    try check.step()
    drafts.append(
      Draft(words: name.map { place(of: $0) }, bloodType: bloodType, shoeSize: shoeSize))
  }

  private mutating func place(of word: String) -> UInt32 {
    if let place = places[word] { return place }
    let place = UInt32(vocabulary.count)
    places[word] = place
    vocabulary.append(word)
    return place
  }

  /// Returns the people, numbered by name.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func people() throws -> People {
    let ranks = ranksOfWords()
    var ordered = vocabulary
    for (place, rank) in ranks.enumerated() { ordered[Int(rank)] = vocabulary[place] }
    let sorted = try draftsByName(ranks)

    var starts: [UInt32] = [0]
    var words: [UInt32] = []
    var check = CancellationCheck()
    for draft in sorted {
      try check.step()
      words += draft.words.map { ranks[Int($0)] }
      starts.append(UInt32(words.count))
    }
    let sizes = sorted.map(\.shoeSize.halves)
    return People(
      vocabulary: ordered, wordStarts: starts, words: words,
      bloodTypes: sorted.map(\.bloodType.rawValue), shoeSizes: sizes,
      byName: Array(0..<UInt32(sizes.count)), bySize: Self.bySize(sizes),
      index: PrefixIndex(ordered.map(SearchWords.entries)))
  }

  /// Returns the rank of each word of the vocabulary in the sort order of names.
  private func ranksOfWords() -> [UInt32] {
    let keys = vocabulary.map { (SearchWords.words(of: $0).joined(separator: " "), $0) }
    let order = keys.indices.sorted { keys[$0] < keys[$1] }
    var ranks = [UInt32](repeating: 0, count: order.count)
    for (rank, place) in order.enumerated() { ranks[place] = UInt32(rank) }
    return ranks
  }

  private func draftsByName(_ ranks: [UInt32]) throws -> [Draft] {
    // The first two words almost always decide, and compare as one number.
    let keys = drafts.enumerated().map { number, draft in
      let leading = draft.words.prefix(2).map { UInt64(ranks[Int($0)]) + 1 } + [0, 0]
      return (leading[0] << 32 | leading[1], number)
    }
    var check = CancellationCheck()
    let order = try keys.sorted { one, other in
      try check.step()
      guard one.0 == other.0 else { return one.0 < other.0 }
      let rest = drafts[one.1].words.dropFirst(2).map { ranks[Int($0)] }
      let otherRest = drafts[other.1].words.dropFirst(2).map { ranks[Int($0)] }
      guard rest == otherRest else { return rest.lexicographicallyPrecedes(otherRest) }
      return one.1 < other.1
    }
    return order.map { drafts[$0.1] }
  }

  private static func bySize(_ sizes: [UInt8]) -> [UInt32] {
    var starts = [Int](repeating: 0, count: 257)
    for size in sizes { starts[Int(size) + 1] += 1 }
    for size in 1..<starts.count { starts[size] += starts[size - 1] }
    var order = [UInt32](repeating: 0, count: sizes.count)
    for (person, size) in sizes.enumerated() {
      order[starts[Int(size)]] = UInt32(person)
      starts[Int(size)] += 1
    }
    return order
  }
}
