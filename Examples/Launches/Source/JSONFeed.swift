/// A list of items in a JSON file, such as one downloaded from the r/SpaceX API.
///
/// Reading is all or nothing: a file with one bad item gives an error, not the other items, because
/// a load deletes from the store what its source no longer has.
struct JSONFeed<Item: FeedItem>: Sendable {
  let path: String

  func read() throws(FeedError) -> [Item] {
    let documents = try JSONFile(path: path).decode(
      [FeedDocument<Item>].self, root: Item.feedName)
    return try withoutRepetitions(documents.map(\.item))
  }

  /// Two equal copies of an item are one item, as a source read page by page may give them.
  /// Two different items of one identifier have no right answer.
  private func withoutRepetitions(_ items: [Item]) throws(FeedError) -> [Item] {
    var firstIndices: [String: Int] = [:]
    var unique: [Item] = []
    for (index, item) in items.enumerated() {
      guard let first = firstIndices[item.id] else {
        firstIndices[item.id] = index
        unique.append(item)
        continue
      }
      guard items[first] == item else {
        throw FeedError(
          path: path,
          problem: """
            \(Item.feedName)[\(first)] and \(Item.feedName)[\(index)] have the same id, \
            \(printable(item.id)), but differ
            """)
      }
    }
    return unique
  }
}

/// What a feed can be read into.
protocol FeedItem: Equatable, Identifiable, Sendable where ID == String {
  /// What a list of these is called in coding paths: `launches` in `launches[3].flight_number`.
  static var feedName: String { get }

  /// Decodes the item from the shape the API serves, which is not the shape the store keeps.
  init(fromFeed decoder: any Decoder) throws
}

private struct FeedDocument<Item: FeedItem>: Decodable {
  let item: Item

  init(from decoder: any Decoder) throws {
    item = try Item(fromFeed: decoder)
  }
}
